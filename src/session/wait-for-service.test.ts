import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { waitForService } from './wait-for-service.ts';

const closer = createCloser();
afterEach(() => closer.closeAll());

test('waits while a gateway answers for the service, and tells the user once', async () => {
  const statuses = [503, 502, 504, 404];
  const seen: string[] = [];
  const port = await closer.listen(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(statuses.shift() ?? 500).end();
    }),
  );
  let announced = 0;
  const baseUrl = new URL(`http://127.0.0.1:${port}/api`);
  await waitForService({ baseUrl, timeoutMs: 5_000 }, 60_000, () => (announced += 1));
  expect([announced, seen]).toEqual([1, Array.from({ length: 4 }, () => 'GET /api')]);
});

test('does not wait for a service that answers', async () => {
  const port = await closer.listen(createServer((_request, response) => response.writeHead(401).end()));
  let announced = 0;
  const baseUrl = new URL(`http://127.0.0.1:${port}`);
  await waitForService({ baseUrl, timeoutMs: 5_000 }, 0, () => (announced += 1));
  expect(announced).toBe(0);
});

test('fails with the last reason if the service is not ready in time', async () => {
  const port = await closer.listen(createTcpServer());
  await closer.closeAll();
  const target = { baseUrl: new URL(`http://127.0.0.1:${port}`), timeoutMs: 5_000 };
  await expect(waitForService(target, 200, () => undefined)).rejects.toMatchObject({
    code: 'CANNOT_JUDGE',
    message: `Failed to judge "http://127.0.0.1:${port}/": it was not ready after 0.2 s: nothing listens on 127.0.0.1:${port}. Start the service, or wait longer with --wait-for-service.`,
  });
  const silent = await closer.listen(createTcpServer(() => undefined));
  const unanswered = { ...target, baseUrl: new URL(`http://127.0.0.1:${silent}`) };
  await expect(waitForService(unanswered, 200, () => undefined)).rejects.toThrow(/no whole answer within/u);
});
