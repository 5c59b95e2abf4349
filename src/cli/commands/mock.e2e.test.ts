import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type ClientResponse, createServiceClient } from '../../../fixtures/service-client.ts';

const main = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-mock-'));
const running: ChildProcess[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly port: number;
  readonly child: ChildProcess;
  /** What it has written, to either stream. */
  readonly output: () => string;
  /** What it has written to standard output. */
  readonly stdout: () => string;
}

async function startMock(...words: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, 'mock', '--port', '0', '--token', 't', ...words], {
    cwd: folder,
  });
  running.push(child);
  let output = '';
  let stdout = '';
  child.stdout.on('data', (bytes) => {
    stdout += String(bytes);
  });
  const port = await new Promise<number>((resolve, reject) => {
    const read = (bytes: unknown): void => {
      output += String(bytes);
      const [, found] = /mocked on http:\/\/\S+:(\d+)\n/u.exec(output) ?? [];
      if (found !== undefined) {
        resolve(Number(found));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the mock ended with ${code}: ${output}`)));
  });
  return { port, child, output: () => output, stdout: () => stdout };
}

/** Tells a mock to stop, and gives its exit code. */
async function stop({ child }: Running): Promise<unknown> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  return code;
}

function create(port: number, id: number): Promise<ClientResponse> {
  const client = createServiceClient(`http://127.0.0.1:${port}`, { authorization: 'Bearer t' });
  return client.post('/plants', { id, name: 'Basil' });
}

test('says where it listens, and that others can reach it', { timeout: minute }, async () => {
  const open = await startMock('--host', '0.0.0.0');
  expect((await create(open.port, 1)).status).toBe(200);
  expect(await stop(open)).toBe(0);
  expect(open.output()).toContain(`mocked on http://0.0.0.0:${open.port}\n`);
  expect(open.output()).toMatch(/^Other machines can reach it(?:, at http:\S+(?: or http:\S+)*)?\.$/mu);
  const own = await startMock();
  expect(await stop(own)).toBe(0);
  expect(own.output()).toContain(`mocked on http://127.0.0.1:${own.port}\n`);
  expect(own.output()).not.toContain('Other machines');
});

test('says with which path of a server it answers too', { timeout: minute }, async () => {
  const response = { description: 'Here.' };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1' },
    servers: [{ url: 'https://api.example.com/v1' }],
    paths: { '/doors': { get: { responses: { 204: response } } } },
  };
  await writeFile(join(folder, 'doors.json'), JSON.stringify(document));
  const mock = await startMock('doors.json');
  for (const path of ['/doors', '/v1/doors']) {
    expect((await fetch(`http://127.0.0.1:${mock.port}${path}`)).status).toBe(204);
  }
  expect(await stop(mock)).toBe(0);
  expect(mock.output()).toContain('/doors and /v1/doors both work.\n');
});

test(
  'writes a line for each request, what is no HTTP included, and preflights on demand',
  {
    timeout: minute,
  },
  async () => {
    const [mock, other] = [await startMock('--preflights'), await startMock()];
    await create(mock.port, 1);
    const preflight = {
      method: 'OPTIONS',
      headers: { Origin: 'http://localhost', 'Access-Control-Request-Method': 'POST' },
    };
    await fetch(`http://127.0.0.1:${mock.port}/plants`, preflight);
    await fetch(`http://127.0.0.1:${other.port}/plants`, preflight);
    expect(await stop(other)).toBe(0);
    expect(other.output()).not.toContain('preflight');
    const socket = connect(mock.port, '127.0.0.1').resume();
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    expect(await stop(mock)).toBe(0);
    const lines = mock.output().match(/^\d\d:.*$/gmu);
    expect(lines).toEqual([
      expect.stringMatching(/^[\d:]{8} POST    \/plants 200 +[\d.]+ ms  createPlant$/u),
      expect.stringMatching(/^[\d:]{8} OPTIONS \/plants 204 +[\d.]+ ms  CORS preflight$/u),
      expect.stringMatching(
        /^[\d:]{8} -       -       400 +[\d.]+ ms  undeclared not-http: This is not HTTP/u,
      ),
    ]);
  },
);

test('writes JSON lines and nothing else to standard output on demand', { timeout: minute }, async () => {
  const mock = await startMock('--log', 'json');
  await create(mock.port, 1);
  await create(mock.port, 1);
  await fetch(`http://127.0.0.1:${mock.port}/plant?key=t`);
  expect(await stop(mock)).toBe(0);
  const lines = mock.stdout().trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { id: 1, method: 'POST', target: '/plants', status: 200, verdict: 'accepted' },
    { id: 2, status: 400, condition: 'duplicate-key', problems: [{ pointer: '/id' }] },
    { id: 3, message: 'There is nothing at /plant: the nearest is POST /plants.' },
  ]);
});

test('serves on when nobody reads its output any more', { timeout: minute }, async () => {
  const mock = await startMock();
  mock.child.stdout?.destroy();
  mock.child.stderr?.destroy();
  for (let id = 1; id <= 20; id += 1) {
    const socket = connect(mock.port, '127.0.0.1');
    // One client in two goes away in the middle.
    socket.write('POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{', () =>
      socket.resetAndDestroy(),
    );
    await once(socket, 'close');
    expect((await create(mock.port, id)).status).toBe(200);
  }
  expect(await stop(mock)).toBe(0);
});

test('opens its control interface to whom it is told', { timeout: minute }, async () => {
  const [closed, open] = await Promise.all([
    startMock('--no-control'),
    startMock('--host', '0.0.0.0', '--control-token', 's3cret-token'),
  ]);
  const ask = async ({ port }: Running, headers = {}): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/__cloche/service`, { headers });
    return response.status;
  };
  expect(await ask(closed)).toBe(404);
  expect(await ask(open)).toBe(401);
  expect(await ask(open, { 'Cloche-Control-Token': 's3cret-token' })).toBe(200);
  expect(await Promise.all([stop(closed), stop(open)])).toEqual([0, 0]);
  expect(open.output()).toContain('/__cloche/ answers requests with the control token.\n');
  expect(open.output()).not.toContain('s3cret-token');
});
