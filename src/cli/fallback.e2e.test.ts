import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type RunningCommand, startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Receiver, startReceiver } from '../../fixtures/receiver.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-fallback-'));
const body = '{ application/json: { schema: { type: object, properties: { id: { type: integer } } } } }';
const document = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { content: ${body} }
      responses: { '201': { description: New., content: ${body} } }
    get:
      operationId: listOrders
      responses: { '200': { description: All., content: { application/json: { schema: { type: array } } } } }
`;

let service: Receiver;
let mock: RunningCommand;

function answer(url: string, host: string, response: ServerResponse): void {
  if (url === '/base/moved') {
    response.writeHead(302, { Location: `http://${host}/base/new?a=1` }).end();
    return;
  }
  response.writeHead(203, {
    'Content-Type': 'text/plain',
    'Content-Encoding': 'gzip',
    'Access-Control-Allow-Origin': 'https://other.example',
    'Set-Cookie': ['a=1', 'b=2'],
  });
  response.end(gzipSync('from the service'));
}

beforeAll(async () => {
  writeFileSync(join(folder, 'api.yaml'), document);
  await buildWhenStale();
  service = await startReceiver(({ url, headers }, response) => answer(url, headers.host ?? '', response));
  const words = ['mock', '--port', '0', 'api.yaml', '--exclude-operation', 'listOrders'];
  mock = await startCommand([...words, '--fallback', `${service.url}/base`], {
    folder,
    ready: /mocked on (http:\S+)\n/u,
  });
}, 60_000);

afterAll(async () => {
  await mock.stop();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

test('the mock answers its operations, and the service answers excluded and unknown ones', async () => {
  const init = { method: 'POST', body: '{"id":1}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${mock.url}/orders`, init)).status).toBe(201);
  const excluded = await fetch(`${mock.url}/orders?limit=2`);
  expect([excluded.status, await excluded.text()]).toEqual([203, 'from the service']);
  expect(service.received.at(-1)).toMatchObject({ method: 'GET', url: '/base/orders?limit=2' });
  expect(await (await fetch(`${mock.url}/users`, { ...init, method: 'PUT' })).text()).toBe(
    'from the service',
  );
  expect(service.received.at(-1)).toMatchObject({ method: 'PUT', url: '/base/users', body: '{"id":1}' });
  expect(service.received.at(-1)?.headers).toMatchObject({
    'content-type': 'application/json',
    via: '1.1 cloche-mock',
  });
  await vi.waitFor(() => expect(mock.output()).toMatch(/PUT +\/users +203 .*Forwarded to http:/u));
});

test('the response keeps its cookies and has the CORS fields of the mock', async () => {
  const { headers } = await fetch(`${mock.url}/users`, { headers: { origin: 'https://page.example' } });
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(headers.get('access-control-allow-origin')).toBe('https://page.example');
  expect(headers.get('content-encoding')).toBe(null);
});

test('a redirect is not followed and leads to the mock', async () => {
  const { status, headers } = await fetch(`${mock.url}/moved`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, `${mock.url}/new?a=1`]);
});

test('a service that is not there gets 502, and so does the mock itself', async () => {
  const init = { headers: { via: '1.1 cloche-mock' } };
  const own = await fetch(`${mock.url}/users`, init);
  expect([own.status, await own.text()]).toEqual([502, expect.stringContaining('is the mock itself')]);
  service.close();
  const gone = await fetch(`${mock.url}/users`);
  expect([gone.status, gone.headers.get('cloche-undeclared')]).toEqual([502, 'fallback-failed']);
  expect((await fetch(`${mock.url}/orders`, { method: 'OPTIONS' })).status).toBe(502);
});

test('a fallback that is no base URL is refused with exit code 2', async () => {
  const { code, stderr } = await runCloche(['mock', 'api.yaml', '--fallback', 'ftp://a'], { folder });
  expect(stderr).toContain('Failed to use the fallback "ftp://a": it is no http or https URL');
  expect(code).toBe(2);
});
