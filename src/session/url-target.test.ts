import { readFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { loadContract } from '../contract/load.ts';
import { openUrlTarget } from './url-target.ts';

const contract = await loadContract(undefined, { followReferences: false });
const closer = createCloser();
const [key = '', cert = ''] = ['key', 'cert'].map((part) =>
  readFileSync(new URL(`../../fixtures/tls/localhost.${part}.pem`, import.meta.url), 'utf8'),
);

afterEach(() => closer.closeAll());

test.each([
  ['the certificate that it trusts', { insecure: false, ca: cert }],
  ['any certificate', { insecure: true, ca: undefined }],
])('reaches a service over a raw socket as over the client, by %s', async (_what, trust) => {
  const requests: string[] = [];
  const server = createServer({ key, cert }, (socket) => {
    socket.once('data', (bytes) => {
      requests.push(bytes.toString('latin1'));
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\nmore');
    });
  });
  const target = await openUrlTarget({
    baseUrl: `https://localhost:${await closer.listen(server)}/v1`,
    headers: [['X-Tenant', 'one']],
    connections: 1,
    timeoutMs: 2_000,
    contract,
    ...trust,
  });
  closer.closeLater(() => target.close());
  const request = { method: 'OPTIONS', target: '/orders', headers: [], body: undefined };
  const answers = [await target.send(request), await target.socketSend?.(request)];
  expect(answers).toMatchObject([
    { kind: 'response', response: { status: 204 } },
    { kind: 'response', response: { status: 204 }, trailing: Buffer.from('more') },
  ]);
  expect(answers[0]).not.toHaveProperty('trailing');
  expect(requests).toEqual([
    expect.stringMatching(/^OPTIONS \/v1\/orders HTTP\/1\.1\r\n[^]*\r\nX-Tenant: one\r\n/u),
    expect.stringMatching(/^OPTIONS \/v1\/orders HTTP\/1\.1\r\n[^]*\r\nX-Tenant: one\r\n/u),
  ]);
});
