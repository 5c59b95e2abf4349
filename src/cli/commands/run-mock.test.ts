import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';
import { startMock } from '../../../fixtures/start-mock.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { describeControl, describeHiddenPaths } from '../mock-notices.ts';

const here = { url: 'http://127.0.0.1:1', isOpenToOthers: false };
const everywhere = { url: 'http://0.0.0.0:1', isOpenToOthers: true };

test.each([
  ['nothing where only this machine reaches it', here, {}, ''],
  ['nothing where there is none', everywhere, false, ''],
  ['that a token is missing', everywhere, {}, 'needs a --control-token'],
  [
    'that a token is required, and not which',
    everywhere,
    { token: 'hush' },
    'requests with the control token.',
  ],
] as const)('says %s', (_name, place, control, words) => {
  const said = describeControl(place, control).join();
  expect([said.includes(words), said === '', said.includes('hush')]).toEqual([true, words === '', false]);
});

const responses = { 200: { description: 'There.' } };
const contract = contractOf({
  paths: {
    '/__cloche/{id}': { get: { responses }, delete: { responses } },
    '/__clocher': { get: { responses } },
  },
});

test('names each path that the control interface stands before', () => {
  expect(describeHiddenPaths(contract, {})).toEqual([
    'Requests to /__cloche/{id} go to the control interface; --no-control leaves them to the document.',
  ]);
});

test('says nothing where there is no control interface', () => {
  expect(describeHiddenPaths(contract, false)).toEqual([]);
});

const document = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-run-mock-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

function create(url: string, body: string, token = 't'): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  });
}

test(
  'serves on a port, logs each request without its token, and ends with 0 on SIGTERM',
  { timeout: minute },
  async () => {
    const { url, stop } = await startMock(folder, ['--token', 't', '--token', 'another-token']);
    const answer = await create(url, '{"id":1,"name":"Basil"}', 'another-token');
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'Basil' }]);
    expect((await create(url, '{"id":1,"name":"Basil"}', 'wrong-token')).status).toBe(401);
    const { code, output } = await stop();
    expect(code).toBe(0);
    expect(output).toMatch(/POST +\/plants 200 .*\n.*POST +\/plants 401 .*undeclared invalid-credentials: /u);
    expect(output).not.toMatch(/another-token|wrong-token/u);
  },
);

test(
  'prints at start the URL of the inspector, the accepted tokens and a request to try',
  { timeout: minute },
  async () => {
    const { url, output } = await startMock(folder, []);
    expect((await create(url, '{"id":7,"name":"Basil"}', 'whatever')).status).toBe(200);
    expect(output()).toContain(`The inspector is at ${url}/__cloche/.`);
    expect(output()).toContain(
      'Send a bearer token. Any value is accepted. To accept only some, start with --token.',
    );
    const [, line = ''] = /^Try it: (curl .*)$/mu.exec(output()) ?? [];
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /u);
  },
);

test('says how to fill the lists of a document without examples', { timeout: minute }, async () => {
  const document = fileURLToPath(new URL('../../../fixtures/documents/library.yaml', import.meta.url));
  const empty = /^Lists are empty at the start: --data-count 5 fills them/mu;
  const started = async (...words: readonly string[]): Promise<string> => {
    const { stop } = await startMock(folder, ['--document', document, ...words]);
    return (await stop()).output;
  };
  expect(await started()).toMatch(empty);
  expect(await started('--data', 'none')).not.toMatch(empty);
});

test('reads its tokens from a file', { timeout: minute }, async () => {
  await writeFile(join(folder, 'tokens'), 'one\n\ntwo\n');
  const { url } = await startMock(folder, ['--token-file', 'tokens']);
  expect((await create(url, '{"id":1,"name":"Basil"}', 'two')).status).toBe(200);
  expect((await create(url, '{"id":2,"name":"Basil"}', 'three')).status).toBe(401);
});

test('reports a port in use in one sentence, and ends with 2', { timeout: minute }, async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await runCloche(['mock', '--port', String(port), '--token', 't'], { folder });
  server.close();
  expect(stderr).toMatch(new RegExp(`^Failed to listen on "127\\.0\\.0\\.1:${port}": .*\\.\n$`, 'u'));
  expect(code).toBe(2);
});

test('a second --token does not replace the document', { timeout: minute }, async () => {
  const { url } = await startMock(folder, ['--token', 't', '--token', 'u', '--quiet', document]);
  expect((await create(url, '{"id":1,"name":"Basil"}', 'u')).status).toBe(200);
});
