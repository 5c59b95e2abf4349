import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { type MockAndReceiver, startMockAndReceiver } from '../../fixtures/mock-and-receiver.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

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

let folder: string;
let service: MockAndReceiver['receiver'];
let mock: MockAndReceiver['mock'];
/** The response to /events, which a test writes. */
let events: ServerResponse;

function answer(url: string, host: string, response: ServerResponse): void {
  if (url === '/base/moved') {
    response.writeHead(302, { Location: `http://${host}/base/new?a=1` }).end();
    return;
  }
  if (url === '/base/events') {
    events = response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    events.write('data: 1\n\n');
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
  const started = await startMockAndReceiver(document, {
    answer: ({ url, headers }, response) => answer(url, headers.host ?? '', response),
    words: (url) => ['--exclude-operation', 'listOrders', '--fallback', `${url}/base`],
  });
  ({ folder, mock, receiver: service } = started);
  return started.stop;
}, 60_000);

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
  await expect.poll(mock.output).toMatch(/PUT +\/users +203 .*Forwarded to http:/u);
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

test('an event of the service arrives while its stream is open, which is logged at its end', async () => {
  const reader = (await fetch(`${mock.url}/events`)).body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await read()).toBe('data: 1\n\n');
  expect(mock.output()).not.toContain('/events');
  events.end('data: 2\n\n');
  expect([await read(), await read()]).toEqual(['data: 2\n\n', '']);
  await expect.poll(mock.output).toMatch(/GET +\/events +200 .*Forwarded to http:/u);
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
  const { code, stderr } = await runCloche(['mock', 'shop.yaml', '--fallback', 'ftp://a'], { folder });
  expect(stderr).toContain('Failed to use the fallback "ftp://a": it is no http or https URL');
  expect(code).toBe(2);
});
