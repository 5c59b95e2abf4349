import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import type { Responder } from '../responder.ts';
import { listen } from './server.ts';
import { fileURLToPath } from 'node:url';
import { fieldCounts, manyFields, sendHead } from '../../../fixtures/sockets/many-fields.ts';
import { createInspectedMock } from '../../inspector/create-inspector.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

// `as`: nothing is asked of it before it listens.
const unused = { contentLimit: 1 } as Responder;

test('refuses a port that is in use, in one sentence', async () => {
  const listener = await listen(unused);
  opened.push(listener);
  const port = Number(new URL(listener.url).port);
  await expect(listen(unused, { port })).rejects.toMatchObject({
    code: 'PORT_UNAVAILABLE',
    message: expect.stringMatching(
      /^Failed to listen on "127\.0\.0\.1:\d+": another program has the port\. (\d+) is free: choose it with --port \1\.$/u,
    ),
  });
});

test.each([-1, 65_536, 1.5, Number.NaN])('refuses %d for a port', async (port) => {
  await expect(listen(unused, { port })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    subject: String(port),
  });
});

test('refuses a host that is not its own', async () => {
  await expect(listen(unused, { host: '192.0.2.1' })).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' });
});

test('listens on this machine alone unless told otherwise', async () => {
  const listener = await listen(unused);
  opened.push(listener);
  expect(new URL(listener.url).hostname).toBe('127.0.0.1');
  expect(listener.isOpenToOthers).toBe(false);
});

const speaksIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

test.each([
  ['0.0.0.0', /^http:\/\/0\.0\.0\.0:\d+$/u, true],
  ['localhost', /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/u, false],
  ...(speaksIpv6
    ? ([
        ['::', /^http:\/\/\[::\]:\d+$/u, true],
        ['::1', /^http:\/\/\[::1\]:\d+$/u, false],
      ] as const)
    : []),
] as const)('names the address that it listens on for the host %s', async (host, url, isOpenToOthers) => {
  const listener = await listen(unused, { host });
  opened.push(listener);
  expect(listener).toMatchObject({ url: expect.stringMatching(url), isOpenToOthers });
});

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));

async function openInspectedMock(): Promise<number> {
  const mock = await createInspectedMock(plantStore, { tokens: ['t'] });
  opened.push(mock);
  return Number(new URL((await mock.listen()).url).port);
}

test.each([
  ['X-Forwarded-For: 10.0.0.1', 401],
  ['Forwarded: for=10.0.0.1', 401],
  ['Origin: http://elsewhere.example', 403],
  ['Sec-Fetch-Site: cross-site', 403],
])('guards the control interface from a request with "%s" after many other fields', async (field, status) => {
  const port = await openInspectedMock();
  const head = `GET /__cloche/state HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
  for (const count of fieldCounts) {
    const allowed = await sendHead(port, `${head}${manyFields(count)}`);
    const guarded = await sendHead(port, `${head}${manyFields(count)}${field}\r\n`);
    expect([count, allowed, guarded]).toEqual([count, 200, status]);
  }
  expect(await sendHead(port, `${head}${manyFields(9_000)}${field}\r\n`)).toBe(431);
});

test('finds the credentials of a request after many other fields', async () => {
  const port = await openInspectedMock();
  const head = `POST /plants HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n`;
  for (const count of fieldCounts) {
    const status = await sendHead(port, `${head}${manyFields(count)}Authorization: Bearer t\r\n`);
    // The credentials are accepted, and the body is missing.
    expect([count, status]).toEqual([count, 400]);
  }
});
