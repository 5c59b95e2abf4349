import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-hostile-'));
let server: Server;
let service = '';

/** What a terminal obeys, what a CI server obeys, and what shows a text otherwise than it is. */
const hostile = [
  '\r\n::error::owned',
  '\n  ::stop-commands::x',
  '\u2028::warning::owned',
  '##[error]owned',
  '##vso[task.setvariable variable=x]y',
  '\u001B]0;title\u0007',
  '\u001B[31mred\u001B[2J',
  '\u009B2J',
  '\u0085\u0000\u007F\b',
  '\u202Egnp.exe\u2066',
  '\uFDD0\uFDD4bold',
].join(' ');

/** What of a text may stand in a field of HTTP: anything but ends of lines and NUL, a byte a character. */
const inField = '::error::owned ##[error]owned \u001B[31mred \u001B]0;t\u0007 \u009B2J \u0085\u007F';

beforeAll(async () => {
  await buildWhenStale();
  // node:http would refuse to send such fields.
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const length = Number(/\r\ncontent-length: *(\d+)/iu.exec(text.slice(0, end))?.[1] ?? 0);
        if (text.length < end + 4 + length) return;
        text = text.slice(end + 4 + length);
        const body = JSON.stringify({ [hostile]: hostile }).replaceAll(String.raw`\u00`, String.raw`\u00`);
        socket.write(
          `HTTP/1.1 200 ${inField}\r\nContent-Type: text/${inField}\r\nX-Rate: ${inField}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
          'latin1',
        );
        socket.write(body);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  service = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document()));
}, 2 * minute);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await new Promise((resolve) => server.close(resolve));
});

/** A document that says hostile things wherever it may say anything. */
function document(): object {
  const path = `/things/${hostile.replaceAll(/[{}?#]/gu, '')}`;
  const schema = {
    type: 'object',
    required: ['id', hostile],
    description: hostile,
    properties: {
      id: { type: 'integer', maximum: 100_000 },
      [hostile]: { enum: [hostile, 'b'], title: hostile },
    },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const responses = {
    '200': { description: hostile, content },
    '400': { description: hostile, content: { 'application/json': { schema: { type: 'object' } } } },
  };
  return {
    openapi: '3.1.0',
    info: { title: hostile, version: hostile, description: hostile },
    servers: [{ url: `https://example.com/${encodeURIComponent(hostile)}`, description: hostile }],
    tags: [{ name: hostile }],
    security: [{ token: [] }],
    paths: {
      '/things': {
        post: {
          operationId: `make ${hostile}`,
          summary: hostile,
          tags: [hostile],
          parameters: [
            { name: `q${hostile}`, in: 'query', schema: { type: 'integer', description: hostile } },
          ],
          requestBody: { required: true, content },
          responses,
        },
      },
      [path]: { get: { operationId: hostile, summary: hostile, responses } },
    },
    components: {
      schemas: { Thing: schema },
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: hostile } },
    },
  };
}

/** What in an output is obeyed by whoever shows it. */
function obeyed(text: string): readonly string[] {
  return text
    .split('\n')
    .filter(
      (line) =>
        /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(line) ||
        /^\s*::/u.test(line) ||
        /##\w*\[/u.test(line),
    );
}

function expectNothingObeyed({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void {
  // `owned` says that the hostile text is there at all.
  expect(`${stdout}${stderr}`).toContain('owned');
  expect(obeyed(stdout)).toEqual([]);
  expect(obeyed(stderr)).toEqual([]);
}

const quick = ['--seed', '7', '--runs', '5', '--timeout', '2000'];

const commands: readonly (readonly [name: string, words: readonly string[], code: number | undefined])[] = [
  ['explain', ['explain', 'api.json'], 0],
  ['explain --json', ['explain', 'api.json', '--json'], 0],
  [
    'explain --overlay',
    [
      'explain',
      'api.json',
      '--overlay',
      '--answer',
      'duplicate-key=conflict',
      '--answer',
      'constraints={"id":{"maximum":9}}',
    ],
    0,
  ],
  ['bundle', ['bundle', 'api.json'], 0],
  ['test on its own mock', ['test', '-d', 'api.json', ...quick], undefined],
  ['learn --dry-run', ['learn', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', '--dry-run'], 0],
  ['test', ['test', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--coverage'], 1],
  [
    'test --report json',
    ['test', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--report', 'json'],
    1,
  ],
  [
    'test --report junit',
    ['test', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--report', 'junit'],
    1,
  ],
  [
    'test --report html',
    ['test', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--report', 'html'],
    1,
  ],
  [
    'test --report har',
    ['test', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--report', 'har'],
    1,
  ],
  ['learn', ['learn', 'SERVICE', '-d', 'api.json', '--token', 'tok-en-1', '--max-requests', '60'], undefined],
];

test.each(drawCases(commands, 4))(
  'prints nothing that is obeyed: %s',
  { timeout: 2 * minute },
  async (_, words, code) => {
    const ended = await runCloche(
      words.map((word) => (word === 'SERVICE' ? service : word)),
      { folder },
    );
    expectNothingObeyed(ended);
    expect(code === undefined || ended.code === code).toBe(true);
  },
);

test('prints no command for GitHub but its own', { timeout: minute }, async () => {
  const { stdout } = await runCloche(
    ['test', service, '-d', 'api.json', '--token', 'tok-en-1', ...quick, '--report', 'github'],
    { folder },
  );
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => !/^::(?:error|warning|notice) (?:file|title)=/u.test(line))).toEqual([]);
  expect(lines.filter((line) => /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E]/u.test(line))).toEqual([]);
});

test.each([
  [
    'a problem of a document',
    { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: { [`/${hostile}`]: { get: 7 } } },
  ],
  [
    'several',
    { openapi: '3.1.0', info: {}, [hostile]: 1, paths: { [`/${hostile}`]: { get: 7, [hostile]: 8 } } },
  ],
  ['a version', { openapi: hostile, info: { title: 'a', version: '1' }, paths: {} }],
  [
    'a reference',
    {
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      paths: {},
      components: { schemas: { A: { $ref: `../${hostile}` } } },
    },
  ],
])('says in words that are not obeyed what is wrong: %s', async (_, broken) => {
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(broken));
  for (const strictly of [['--strict-document'], []]) {
    const { code, stdout, stderr } = await runCloche(['explain', 'broken.json', ...strictly], { folder });
    // What is of its own place alone is a warning where nobody is strict.
    expect([strictly.length === 0 || code === 2, obeyed(stderr), obeyed(stdout)]).toEqual([true, [], []]);
    expect(stderr).toContain('owned');
  }
});

test(
  'says of a running mock what it is, logs and holds in words that are not obeyed',
  { timeout: minute },
  async () => {
    const rows = { '/things': [{ id: 1, [hostile]: 'b' }] };
    writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
    for (const log of ['lines', 'json']) {
      const mock = await startCommand(
        ['mock', 'api.json', '--port', '0', '--data', 'rows.json', '--log', log],
        { folder, ready: /mocked on (http:\S+)\n/u },
      );
      const body = JSON.stringify({ id: 2, [hostile]: hostile });
      const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer tok-en-1' };
      await fetch(`${mock.url}/things`, { method: 'POST', headers, body });
      await fetch(`${mock.url}/things?q${encodeURIComponent(hostile)}=x`, { method: 'POST', headers, body });
      await fetch(`${mock.url}/nothing/${encodeURIComponent(hostile)}`, { headers });
      await fetch(`${mock.url}/things`, { method: 'POST', headers, body: `{"${hostile}":` });
      for (const words of [
        ['requests', 'list'],
        ['requests', 'show', '1'],
        ['requests', 'show', '4'],
        ['requests', 'list', '--json'],
        ['state', 'list', '/things'],
        ['state', 'export'],
      ]) {
        const ended = await runCloche([...words, '--mock', mock.url], { folder });
        expect([words, ended.code]).toEqual([words, 0]);
        expect([words, obeyed(ended.stdout), obeyed(ended.stderr)]).toEqual([words, [], []]);
      }
      writeFileSync(join(folder, 'rows.json'), JSON.stringify({ '/things': [{ id: hostile }] }));
      await expect.poll(() => mock.output(), { timeout: 20_000 }).toMatch(/rows\.json/u);
      writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
      const { output } = await mock.stop();
      expectNothingObeyed({ stdout: output, stderr: '' });
    }
  },
);

test('says of traffic what it shows in words that are not obeyed', { timeout: minute }, async () => {
  const proxy = await startCommand(['proxy', service, '-d', 'api.json', '--port', '0'], {
    folder,
    ready: /proxy on (http:\S+)\n/u,
  });
  const body = JSON.stringify({ id: 2, [hostile]: hostile });
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer tok-en-1' };
  await fetch(`${proxy.url}/things?a=${encodeURIComponent(hostile)}`, {
    method: 'POST',
    headers,
    body,
  }).catch(() => undefined);
  const { output } = await proxy.stop();
  expectNothingObeyed({ stdout: output, stderr: '' });

  const request = {
    method: 'POST',
    url: `https://a.example/things?x=${hostile}`,
    httpVersion: 'HTTP/1.1',
    headers: [
      { name: 'Content-Type', value: `application/json` },
      { name: `x-a`, value: hostile },
    ],
    queryString: [],
    cookies: [],
    headersSize: 1,
    bodySize: 1,
    postData: { mimeType: 'application/json', text: body },
  };
  const response = {
    status: 500,
    statusText: hostile,
    httpVersion: 'HTTP/1.1',
    headers: [{ name: 'Content-Type', value: `text/${hostile}` }],
    cookies: [],
    content: { size: 1, mimeType: hostile, text: hostile },
    redirectURL: '',
    headersSize: 1,
    bodySize: 1,
  };
  const entry = {
    startedDateTime: '2026-11-20T10:30:01.000Z',
    time: 1,
    request,
    response,
    cache: {},
    timings: {},
  };
  const log = { version: '1.2', creator: { name: hostile, version: hostile }, entries: [entry] };
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify({ log }));
  const ended = await runCloche(
    ['check', 'traffic.har', '-d', 'api.json', '--base-url', 'https://a.example'],
    { folder },
  );
  expectNothingObeyed(ended);
});

test('has one place that writes to a terminal', () => {
  const source = fileURLToPath(new URL('../', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.tsx?$/u.test(file),
  );
  const writing = files.filter((file) =>
    // To console the linter lets nothing write.
    /\b(?:process\.)?(?:stdout|stderr|stream)\.write\(/u.test(
      readFileSync(join(source, file), 'utf8').replaceAll(/^ *\/?\*.*$|\/\/.*$/gmu, ''),
    ),
  );
  expect(writing.toSorted()).toEqual(['cli/reports.ts', 'cli/terminal.ts']);
});
