import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, runCloche } from '../../../fixtures/run-cloche.ts';
import { startService } from '../../../fixtures/start-service.ts';

const minute = 60_000;
const token = 's3cret-of-the-service';
const outer = realpathSync(mkdtempSync(join(tmpdir(), 'cloche-mcp-')));
const folder = join(outer, 'project');

const startFaultyService = () => startService('500-on-empty-body', token);

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has an address with it.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const itemsDocument = `openapi: 3.0.3
info: { title: Items, version: "1" }
paths:
  /items:
    post:
      requestBody: { required: true, content: { application/json: { schema: &item
        { type: object, required: [name], properties: { id: { type: integer }, name: { type: string } } } } } }
      responses: { "201": { description: OK, content: { application/json: { schema: *item } } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: OK, content: { application/json: { schema: *item } } }, "404": { description: None } } }
    delete: { responses: { "204": { description: OK }, "404": { description: None } } }
`;

const service = await startFaultyService();
const client = new Client({ name: 'test', version: '1.0.0' });

/** Connects a client to a server in a folder. */
async function connect(one: Client, args: readonly string[], cwd = folder): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', CLOCHE_TOKEN: token };
  const command = { command: process.execPath, args: [clocheMain, 'mcp', ...args], cwd, env };
  await one.connect(new StdioClientTransport(command));
}

/** Calls a tool, and returns the text of its result. */
async function call(name: string, input: Record<string, unknown> = {}, one = client) {
  const { content, isError = false } = await one.callTool({ name, arguments: input }, undefined, {
    timeout: 3 * minute,
  });
  const text = Array.isArray(content) ? content.map((part) => String(part.text)).join('\n') : '';
  expect(text).not.toContain(token);
  return { text, isError };
}

async function readJson(name: string, input?: Record<string, unknown>) {
  const { text, isError } = await call(name, input);
  expect({ isError, text }).toMatchObject({ isError: false });
  return JSON.parse(text);
}

beforeAll(async () => {
  await buildWhenStale();
  mkdirSync(folder);
  const document = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
  copyFileSync(document, join(folder, 'plants.yaml'));
  copyFileSync(document, join(outer, 'secret.yaml'));
  symlinkSync(join(outer, 'secret.yaml'), join(folder, 'link.yaml'));
  writeFileSync(join(folder, 'policy.yaml'), 'contract: plants.yaml\nanswers:\n  duplicate-key: conflict\n');
  writeFileSync(
    join(folder, 'open.yaml'),
    'openapi: 3.0.3\ninfo: { title: A, version: "1" }\npaths:\n  /plants: { get: { responses: { "200": { description: OK } } } }\n',
  );
  writeFileSync(
    join(folder, 'refers.yaml'),
    'openapi: 3.0.3\ninfo: { title: A, version: "1" }\npaths:\n  /a: { $ref: "../secret.yaml#/paths/~1plants" }\n',
  );
  await connect(client, [service.url, '-d', 'plants.yaml']);
}, 3 * minute);

afterAll(async () => {
  await client.close();
  service.server.close();
  rmSync(outer, { recursive: true });
});

test('lists its tools and resources', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual([
    'explain',
    'inspect_mock',
    'read_finding',
    'reset_mock',
    'run_tests',
    'seed_mock',
    'start_mock',
    'stop_mock',
  ]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'cloche://document',
    'cloche://policy',
    'cloche://report',
  ]);
});

test('declares the effects of each tool, and accepts no other arguments', async () => {
  const { tools } = await client.listTools();
  const hints = tools.map(({ name, annotations }) => {
    const { readOnlyHint, destructiveHint = false, openWorldHint } = annotations ?? {};
    return `${name}: ${[readOnlyHint && 'reads', destructiveHint && 'destroys', openWorldHint && 'outside'].filter(Boolean).join(' ')}`;
  });
  expect(hints.toSorted()).toEqual([
    'explain: reads',
    'inspect_mock: reads',
    'read_finding: reads',
    'reset_mock: destroys',
    'run_tests: destroys outside',
    'seed_mock: destroys',
    'start_mock: ',
    'stop_mock: destroys',
  ]);
  for (const { name, inputSchema } of tools) {
    expect(inputSchema).toMatchObject({ additionalProperties: false });
    const { isError, text } = await call(name, { readonly: true, id: 'x', resources: {} });
    expect({ name, isError }).toEqual({ name, isError: true });
    expect(text).toMatch(/unknown argument .*readonly/u);
  }
  const { text } = await call('run_tests', { readonly: true });
  expect(text).toContain('unknown argument readonly; it has document, policy, target,');
});

test('explains the document as a short text, and gives the document as a resource', async () => {
  const { text } = await call('explain');
  expect(text).toContain('  /plants  name*, tag, id*\n');
  expect(text).toContain('POST /plants createPlant\n    does        creates a resource of /plants');
  const { contents } = await client.readResource({ uri: 'cloche://document' });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('operationId: createPlant') });
});

test('cuts a long explanation off, and narrows it to some operations', async () => {
  const paths = Array.from({ length: 200 }, (_, index) => [
    `/things${index}`,
    { get: { operationId: `list${index}`, responses: { 200: { description: 'OK' } } } },
  ]);
  const document = { openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: Object.fromEntries(paths) };
  writeFileSync(join(folder, 'large.json'), JSON.stringify(document));
  const { text } = await call('explain', { document: 'large.json' });
  expect(text.length).toBeLessThan(20_200);
  expect(text).toMatch(/\n… \d+ more lines; narrow it with operations, as in \["createOrder"\] .*$/u);
  const { text: narrow } = await call('explain', {
    document: 'large.json',
    operations: ['list7', 'list19*'],
  });
  expect(narrow.match(/^ {2}GET \/things\d+ list/gmu)).toHaveLength(12);
  expect(await call('explain', { operations: ['createPlan'] })).toEqual({
    isError: true,
    text: 'Failed to read the argument "operations createPlan": no operation of Plant Store has this id. Perhaps createPlant was meant.',
  });
});

test(
  'starts, seeds, inspects, resets and stops a mock',
  async () => {
    expect(await call('inspect_mock')).toEqual({
      isError: true,
      text: 'Failed to inspect "the mock": no mock runs. Start one with start_mock.',
    });
    const { url, items } = await readJson('start_mock', { policy: 'policy.yaml' });
    expect(items).toEqual({ '/plants': 0 });
    expect(await call('start_mock')).toMatchObject({ isError: true, text: expect.stringContaining(url) });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: 7, name: 'fern' });
    const created = await fetch(`${url}/plants`, { method: 'POST', headers, body });
    expect(created.status).toBe(200);
    expect((await fetch(`${url}/plants`, { method: 'POST', headers, body })).status).toBe(409);
    const rows = [
      { id: 8, name: 'moss' },
      { id: 7, name: 'fern', tag: 'x' },
    ];
    expect(await readJson('seed_mock', { resources: { '/plants': rows } })).toEqual({
      added: 1,
      replaced: 1,
      ids: { '/plants': [8] },
    });
    const refused = await call('seed_mock', { resources: { '/plants': [{ id: 'x' }] } });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^Failed to /u) });
    const { text: inspected } = await call('inspect_mock', { limit: 1 });
    expect(inspected).toMatch(
      /^http:.*\n\nResources\n {2}\/plants {2}2\n\nRequests\n#2 [\d:]+ POST +\/plants 409 .* duplicate-key: .*$/u,
    );
    expect((await call('inspect_mock', { collection: '/plants', limit: 1 })).text).toBe(
      '/plants: 1 of 2\n{"id":7,"name":"fern","tag":"x"}',
    );
    for (const request of [1, '#1']) {
      const { text } = await call('inspect_mock', { request });
      expect(text).toContain('\n\nAnswered 200\n');
      expect(text).toContain('curl -sSi ');
    }
    expect(await call('inspect_mock', { request: 99 })).toMatchObject({ isError: true });
    await call('reset_mock');
    expect((await call('inspect_mock')).text).toMatch(/ {2}\/plants {2}0\n\nRequests: none$/u);
    const { text } = await call('run_tests', { target: 'mock', suites: ['valid-bodies'], max_time: 60 });
    expect(text).toMatch(/^# PASS/u);
    const { text: afterRun } = await call('inspect_mock', { limit: 1_000 });
    expect(afterRun.length).toBeLessThan(20_000);
    expect(afterRun).toMatch(/\nRequests\n… \d+ more lines; request shows one by its number\.\n#\d+ /u);
    await call('stop_mock');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    const { contents } = await client.readResource({ uri: 'cloche://policy' });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('duplicate-key: conflict') });
  },
  3 * minute,
);

test(
  'tests the service with a selection, and reads a finding with its request',
  async () => {
    const { text, isError } = await call('run_tests', {
      operations: ['createPlant'],
      seed: 3,
      max_time: 120,
    });
    expect({ text, isError }).toMatchObject({ isError: false });
    expect(text).toMatch(/^# FAIL: /u);
    const [, id = ''] = /`(server-error-[\da-f]+)`/u.exec(text) ?? [];
    const finding = await call('read_finding', { id });
    expect(finding.text).toMatch(/^look at plants\.yaml:\d+$/mu);
    expect(finding.text).toContain("export CLOCHE_TOKEN='the token'");
    expect(finding.text).toMatch(/^response body /mu);
    expect(finding.text).toContain('curl -sSi ');
    expect(finding.text).toContain(`npx cloche test ${service.url}/ --document plants.yaml --seed 3 --path`);
    const { contents } = await client.readResource({ uri: 'cloche://report' });
    expect(JSON.stringify(contents)).toContain(id);
    expect(JSON.stringify(contents)).not.toContain(token);
    expect(await call('read_finding', { id: 'none' })).toEqual({
      isError: true,
      text: 'Failed to read the finding "none": the last run did not find it. Give an id that run_tests listed.',
    });
  },
  4 * minute,
);

test(
  'sends the token to no other service',
  async () => {
    const other = await startFaultyService();
    const received: unknown[] = [];
    other.server.prependListener('request', (request) => received.push(request.headers));
    await call('run_tests', { target: other.url, document: 'open.yaml', max_time: 20 });
    other.server.close();
    expect(received.length).toBeGreaterThan(0);
    expect(JSON.stringify(received)).not.toContain(token);
    const { text, isError } = await call('run_tests', { target: 'http://127.0.0.1:9', max_time: 5 });
    expect({ text, isError }).toMatchObject({ isError: true });
    expect(text).toContain('goes only to the service that cloche mcp was started with');
    expect(text).not.toContain('--');
  },
  minute,
);

test(
  'reads the configuration, and tests only the selected operations of the service',
  async () => {
    const configured = join(outer, 'configured');
    mkdirSync(join(configured, 'sub'), { recursive: true });
    writeFileSync(join(configured, 'api.yaml'), itemsDocument);
    writeFileSync(
      join(configured, 'sub', 'up.yaml'),
      'openapi: 3.0.3\ninfo: { title: Up, version: "1" }\npaths:\n  /a: { $ref: "../other.yaml#/paths/~1b" }\n',
    );
    writeFileSync(
      join(configured, 'other.yaml'),
      'paths: { /b: { get: { operationId: getB, responses: { "200": { description: OK } } } } }\n',
    );
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(`${request.method} ${request.url} ${String(request.headers['x-tenant'])}`);
      response.writeHead(500).end();
    });
    const url = await listen(server);
    writeFileSync(
      join(configured, 'cloche.yaml'),
      `document: api.yaml\nurl: ${url}\nheaders: { X-Tenant: acme }\ntest: { exclude: { methods: [DELETE] } }\n`,
    );
    const one = new Client({ name: 'test', version: '1.0.0' });
    await connect(one, [], configured);
    try {
      expect(await call('explain', { document: 'sub/up.yaml' }, one)).toMatchObject({ isError: false });
      const choice = { operations: ['GET /**'], isolated: true, max_time: 5 };
      expect((await call('run_tests', choice, one)).text).toMatch(/^# FAIL/u);
      expect(received.splice(0)).not.toContain('POST /items acme');
      const { text } = await call('run_tests', { max_time: 5 }, one);
      expect(text).toContain('; 1 operation left out;');
      expect(received).toContain('POST /items acme');
    } finally {
      await one.close();
      server.close();
    }
  },
  minute,
);

test.each([
  [['-d', '../secret.yaml'], `Failed to read "../secret.yaml": it is outside the folder ${folder}. `],
  [['-d', 'http://127.0.0.1:9/a.yaml'], 'Failed to read "http://127.0.0.1:9/a.yaml": it is no file. '],
  [['nonsense'], 'Failed to read the base URL "nonsense": it is no http or https URL'],
])('does not start with %j', async (args, reason) => {
  expect(await runCloche(['mcp', ...args], { folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(reason),
  });
});

test.each([
  ['../secret.yaml', 'it is outside the folder'],
  ['link.yaml', 'it is outside the folder'],
  [join(outer, 'secret.yaml'), 'it is outside the folder'],
  ['../there-is-none.yaml', 'it is outside the folder'],
  ['http://127.0.0.1:9/openapi.yaml', 'it is no file'],
  ['refers.yaml', '../secret.yaml'],
  ['none.yaml', 'there is no such file'],
])('refuses the document %s', async (document, reason) => {
  for (const name of ['explain', 'start_mock', 'run_tests']) {
    const { text, isError } = await call(name, { document });
    expect({ name, text, isError }).toMatchObject({ isError: true, text: expect.stringContaining(reason) });
    expect(text).not.toContain('createPlant');
  }
});

test('refuses policies and data outside the folder', async () => {
  const reason = expect.stringContaining('it is outside the folder');
  expect(await call('explain', { policy: '../secret.yaml' })).toMatchObject({ isError: true, text: reason });
  expect(await call('start_mock', { data: 'link.yaml' })).toMatchObject({ isError: true, text: reason });
});

test('names the command that installs its package if it is missing', async () => {
  const hooks = `export async function resolve(name, context, next) {
    if (!name.startsWith('@modelcontextprotocol/')) return next(name, context);
    throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  writeFileSync(join(outer, 'hooks.mjs'), hooks);
  writeFileSync(
    join(outer, 'register.mjs'),
    "import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);",
  );
  const env = { NODE_OPTIONS: `--import ${join(outer, 'register.mjs')}` };
  expect(await runCloche(['mcp'], { folder, env })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to start "cloche mcp": the package @modelcontextprotocol/sdk is not installed. Run "npm install @modelcontextprotocol/sdk".\n',
  });
});
