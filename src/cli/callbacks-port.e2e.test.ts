import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-callbacks-port-'));
const document = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses:
        '201':
          description: New.
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      callbacks:
        shipped:
          '{$request.body#/notify}/shipped':
            put:
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: '#/components/schemas/Shipment' } } }
              responses: { '202': { description: Received. } }
        archived:
          http://archive.example/hook:
            post: { responses: { '204': { description: Received. } } }
  /reports:
    post:
      operationId: requestReport
      parameters: [{ name: callbackUrl, in: query, schema: { type: string, format: uri } }]
      responses: { '204': { description: Started. } }
      callbacks:
        done:
          $request.query.callbackUrl:
            post: { responses: { '204': { description: Received. } } }
components:
  schemas:
    Order: { type: object, required: [notify], properties: { notify: { type: string }, note: { type: string } } }
    Shipment: { type: object, required: [parcels], properties: { parcels: { type: integer } } }
`;

beforeAll(async () => {
  await writeFile(join(folder, 'shop.yaml'), document);
  await buildWhenStale();
}, 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

function runTest(url: string, ...words: readonly string[]): Promise<Ended> {
  const usual = ['-d', 'shop.yaml', '--seed', '1', '--suite', 'callbacks', '--verbose'];
  return runCloche(['test', url, ...usual, ...words], { folder });
}

/** A callback that a service sends, and the statuses that it got for them. */
interface Sent {
  readonly method: string;
  readonly type?: string;
  readonly body?: string;
}

/** Starts a service that answers as declared, and sends a callback for each order unless it is undefined. */
async function startService(
  sent: Sent | undefined,
  rename: (url: string) => string = (url) => url,
): Promise<{ readonly url: string; readonly statuses: readonly number[]; readonly server: Server }> {
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.method !== 'POST' || request.url !== '/orders') {
        response.writeHead(request.method === 'POST' ? 204 : 405, { Allow: 'POST' }).end();
        return;
      }
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(text);
      // `as`: the test sends valid orders only.
      const { notify } = JSON.parse(text) as { notify: string };
      if (sent === undefined || !URL.canParse(notify)) return;
      const { method, type, body } = sent;
      const headers = type === undefined ? {} : { 'Content-Type': type };
      void fetch(`${rename(notify)}/shipped`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      }).then(({ status }) => statuses.push(status));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, statuses, server };
}

const json = 'application/json';
const good: Sent = { method: 'PUT', type: json, body: '{"parcels": 2}' };

test('passes a mock that sends its callbacks', { timeout: 2 * minute }, async () => {
  const words = ['mock', 'shop.yaml', '--port', '0', '--callbacks', 'loopback'];
  const mock = await startCommand(words, { folder, ready: /mocked on (http:\S+)\n/u });
  const { code, stdout, stderr } = await runTest(mock.url, '--callbacks-port', '0');
  expect([code, stderr]).toEqual([0, '']);
  // The run answers the last callback before the mock logs it.
  const sent = /Callback shipped of createOrder, PUT \S+\/shipped: sent, status 202/gu;
  await expect.poll(() => mock.output().match(sent)).toHaveLength(2);
  await expect.poll(mock.output).toMatch(/Callback done of requestReport, POST \S+: sent, status 204/u);
  await mock.stop();
  expect(stdout).toMatch(/callbacks\/createOrder\.callback/u);
  expect(stdout).toMatch(/callback archived of createOrder: its URL http:\/\/archive\.example\/hook/u);
  expect(stdout).not.toMatch(/no callback/u);
});

test.each<[string, Sent, RegExp, RegExp]>([
  [
    'a body that breaks the schema',
    { ...good, body: '{"parcels": "two"}' },
    /\/components\/schemas\/Shipment\/properties\/parcels\/type/u,
    /received +PUT application\/json \{"parcels": "two"\}/u,
  ],
  ['no body', { method: 'PUT' }, /shipped\/[^ ]*\/put\/requestBody\/content/u, /received +PUT without/u],
  [
    'an undeclared media type',
    { ...good, type: 'text/plain' },
    /shipped\/[^ ]*\/put\/requestBody\/content/u,
    /received +PUT text\/plain/u,
  ],
  [
    'text that is not JSON',
    { ...good, body: '{' },
    /put\/requestBody/u,
    /received +PUT application\/json \{/u,
  ],
  ['another method', { ...good, method: 'POST' }, /shipped\/[^ ]*\/put/u, /received +POST/u],
])('finds a callback with %s', { timeout: 2 * minute }, async (_title, sent, clause, received) => {
  const service = await startService(sent);
  const report = 'json=run.json';
  const { code, stdout } = await runTest(service.url, '--callbacks-port', '0', '--report', report);
  service.server.close();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^VIOLATION A callback was not as declared \[callback-schema-\w+\] createOrder/mu);
  expect(stdout).toMatch(clause);
  expect(stdout).toMatch(received);
  // The request that caused it, and the replay.
  expect(stdout).toMatch(/"notify":"http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}"/u);
  expect(stdout).toMatch(/--callbacks-port 0.* --path .?callbacks\/createOrder\.callback:0/u);
  expect(stdout).not.toContain(`no callback shipped`);
  expect(await readFile(join(folder, 'run.json'), 'utf8')).toContain('"callback-schema');
});

test('lists a callback that does not come as not checked', { timeout: 2 * minute }, async () => {
  const service = await startService(undefined);
  const { code, stdout } = await runTest(service.url, '--callbacks-port', '0');
  service.server.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(/createOrder\.callback: no callback shipped came within 3 s of the response/u);
});

test('gives the service the URL under which it reaches the port', { timeout: 2 * minute }, async () => {
  let own = '';
  const port = await freePort();
  const service = await startService(good, (url) => {
    own = url;
    return url.replace('http://callbacks.example/in', `http://127.0.0.1:${port}`);
  });
  const words = ['--callbacks-port', String(port), '--callback-url', 'http://callbacks.example/in/'];
  const { code, stdout } = await runTest(service.url, ...words);
  expect(own).toMatch(/^http:\/\/callbacks\.example\/in\/[\da-f-]{36}$/u);
  await expect.poll(() => [code, service.statuses]).toEqual([0, [202, 202]]);
  service.server.close();
  expect(stdout).not.toContain('no callback shipped');
});

test('refuses options that have no effect, and a port in use', { timeout: 2 * minute }, async () => {
  const service = await startService(undefined);
  const { port } = new URL(service.url);
  const endings = [
    await runTest(service.url, '--callback-url', 'http://callbacks.example'),
    await runCloche(['test', '--callbacks-port', '0'], { folder }),
    await runTest(service.url, '--callbacks-port', port),
  ];
  service.server.close();
  expect(endings.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(endings.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('Give --callbacks-port too'),
    expect.stringContaining('no base URL is given'),
    expect.stringMatching(/\d+ is free: choose it with --callbacks-port \d+/u),
  ]);
});
