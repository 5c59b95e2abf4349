import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, runCloche } from '../../../fixtures/run-cloche.ts';
import { loadCatalogue } from '../../../fixtures/services/catalogue.js';

const minute = 60_000;
const token = 's3cret-of-the-service';
const outer = realpathSync(mkdtempSync(join(tmpdir(), 'cloche-mcp-')));
const folder = join(outer, 'project');

async function startFaultyService() {
  const { faulty } = await loadCatalogue();
  const found = faulty.find(({ id }) => id === '500-on-empty-body');
  if (found === undefined) throw new Error('the service is missing');
  const server = found.create({ token });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has an address with it.
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const service = await startFaultyService();
const client = new Client({ name: 'test', version: '1.0.0' });

/** Calls a tool, and returns the text of its result. */
async function call(name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input }, undefined, {
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
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [clocheMain, 'mcp', service.url, '-d', 'plants.yaml'],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', CLOCHE_TOKEN: token },
    }),
  );
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

test('explains the document, and gives its text as a resource', async () => {
  const explained = await readJson('explain');
  expect(explained).toMatchObject({ operations: [{ id: 'createPlant' }] });
  const { contents } = await client.readResource({ uri: 'cloche://document' });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('operationId: createPlant') });
});

test(
  'starts, seeds, inspects, resets and stops a mock',
  async () => {
    expect(await call('inspect_mock')).toEqual({
      isError: true,
      text: 'Failed to inspect "the mock": no mock runs. Start one with start_mock.',
    });
    const { url } = await readJson('start_mock', { policy: 'policy.yaml' });
    expect(await call('start_mock')).toMatchObject({ isError: true, text: expect.stringContaining(url) });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: 7, name: 'fern' });
    const created = await fetch(`${url}/plants`, { method: 'POST', headers, body });
    expect(created.status).toBe(200);
    expect((await fetch(`${url}/plants`, { method: 'POST', headers, body })).status).toBe(409);
    expect(
      await readJson('seed_mock', { resources: { '/plants': [{ id: 8, name: 'moss' }] } }),
    ).toMatchObject({
      added: 1,
    });
    const refused = await call('seed_mock', { resources: { '/plants': [{ id: 'x' }] } });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^Failed to /u) });
    const inspected = await readJson('inspect_mock', { limit: 1 });
    expect(inspected.state['/plants']).toEqual([
      expect.objectContaining({ id: 7, name: 'fern' }),
      expect.objectContaining({ id: 8, name: 'moss' }),
    ]);
    expect(inspected.requests).toEqual([expect.objectContaining({ operation: 'createPlant', status: 409 })]);
    await call('reset_mock');
    expect(await readJson('inspect_mock')).toMatchObject({ requests: [] });
    const { text } = await call('run_tests', { target: 'mock', suites: ['valid-bodies'], max_time: 60 });
    expect(text).toMatch(/^# PASS/u);
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
  },
  minute,
);

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
