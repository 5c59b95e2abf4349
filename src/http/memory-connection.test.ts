import { createServer, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createUrlSend } from './client.ts';
import { type NodeApp, serveInMemory } from './memory-connection.ts';
import { createSocketSend } from './raw-client.ts';

const listener: RequestListener = (request, response) => {
  response.writeHead(200, { 'X-Host': request.headers.host }).end(request.url);
};

test.each<[string, () => NodeApp]>([
  ['a listener', () => listener],
  ['a server', () => createServer(listener)],
  ['an app that is ready later', () => ({ ready: () => Promise.resolve(), server: createServer(listener) })],
])('serves %s without a port, to a client and to a raw socket', async (_name, create) => {
  const connect = await serveInMemory(create());
  const place = { baseUrl: new URL('http://app.test/v1'), timeoutMs: 5_000, connect };
  const request = { method: 'GET', target: '/a', headers: [], body: undefined };
  const client = createUrlSend({ ...place, connections: 2 });
  const answers = await Promise.all([
    client.send(request),
    client.send(request),
    createSocketSend(place)(request),
  ]);
  await client.close();
  for (const answer of answers) {
    expect(answer).toMatchObject({ kind: 'response', response: { status: 200, body: Buffer.from('/v1/a') } });
    expect(JSON.stringify(answer)).toContain('app.test');
  }
});

test('shows a response that the app breaks off', async () => {
  const connect = await serveInMemory((_request, response) => {
    response.writeHead(200, { 'Content-Length': '9' }).write('half');
    response.destroy();
  });
  const client = createUrlSend({
    baseUrl: new URL('http://app.test'),
    timeoutMs: 5_000,
    connect,
    connections: 1,
  });
  const answer = await client.send({ method: 'GET', target: '/', headers: [], body: undefined });
  expect(answer).toMatchObject({ kind: 'dropped' });
});
