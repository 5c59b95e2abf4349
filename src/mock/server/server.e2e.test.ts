import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { startCommand, type RunningCommand } from '../../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';
import { createMock } from '../create-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-https-'));
const file = join(folder, 'cloche', 'localhost.pem');
const words = ['mock', '--port', '0', '--https', '--token', 'secret'];
const environment = { folder, ready: /mocked on (https:\S+)\n/u, env: { XDG_CACHE_HOME: folder } };
const authorization = 'Bearer secret';
const plant = JSON.stringify({ id: 7, name: 'Mint' });
const headers = { authorization, 'content-type': 'application/json' };
let mock: RunningCommand;
let session: ClientHttp2Session | undefined;

beforeAll(async () => {
  await buildWhenStale();
  mock = await startCommand(words, environment);
}, 60_000);

afterEach(() => {
  session?.destroy();
  session = undefined;
});

afterAll(async () => {
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a request over HTTP/1.1 and returns the status. */
function post(url: string, path: string, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: 'POST', ca, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(plant);
  });
}

/** Sends a request over HTTP/2. */
function sendHttp2(
  fields: Record<string, string>,
  body?: string,
): Promise<{ status: unknown; text: string }> {
  const open = (session ??= connect(mock.url, { ca: readFileSync(file) }));
  return new Promise((resolve, reject) => {
    let status: unknown;
    let text = '';
    const stream = open.request(fields).on('response', (head) => (status = head[':status']));
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    stream.on('end', () => resolve({ status, text })).on('error', reject);
    stream.end(body);
  });
}

test('--https makes a certificate for localhost, which clients can trust, and keeps it', async () => {
  await expect.poll(mock.output).toContain(`Its certificate is ${file}`);
  expect(statSync(join(folder, 'cloche', 'localhost-key.pem')).mode & 0o077).toBe(0);
  const ca = readFileSync(file, 'utf8');
  expect(await post(mock.url, '/plants', ca)).toBe(200);
  expect(await post(mock.url.replace('127.0.0.1', 'localhost'), '/plants', ca)).toBe(400);
  const again = await startCommand(words, environment);
  expect(readFileSync(file, 'utf8')).toBe(ca);
  expect(await post(again.url, '/plants', ca)).toBe(200);
  await again.stop();
});

test('HTTP/2 gets the responses of HTTP/1.1, over one connection', async () => {
  const create = { ':path': '/plants', ':method': 'POST', ...headers };
  const [created, refused, anonymous, inspector] = await Promise.all([
    sendHttp2(create, JSON.stringify({ id: 8, name: 'Sage' })),
    sendHttp2(create, '{'),
    sendHttp2({ ':path': '/plants', ':method': 'POST' }, plant),
    sendHttp2({ ':path': '/__cloche/' }),
  ]);
  expect(created).toEqual({ status: 200, text: expect.stringContaining('"Sage"') });
  expect([refused.status, anonymous.status, inspector.status]).toEqual([400, 401, 200]);
});

test('a dropped connection of a fault resets one stream of HTTP/2', async () => {
  const drop = sendHttp2(
    { ':path': '/plants', ':method': 'POST', 'cloche-fault': 'drop', ...headers },
    plant,
  );
  await expect(drop).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
  expect((await sendHttp2({ ':path': '/__cloche/' })).status).toBe(200);
});

test('a certificate of the user is used in code', async () => {
  await using own = await createMock();
  const cert = readFileSync(new URL('../../../fixtures/tls/localhost.cert.pem', import.meta.url), 'utf8');
  const key = readFileSync(new URL('../../../fixtures/tls/localhost.key.pem', import.meta.url), 'utf8');
  const { url } = await own.listen({ https: { cert, key } });
  expect(url).toMatch(/^https:/u);
  await expect(own.listen({ https: { cert, key: cert } })).rejects.toThrow('Failed to use the certificate');
});

test('a certificate without its key is refused with exit code 2', async () => {
  const { code, stderr } = await runCloche(['mock', '--tls-cert', file], { folder });
  expect(stderr).toContain('Give --tls-key too');
  expect(code).toBe(2);
});
