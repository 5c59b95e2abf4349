import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { openOrderMock } from '../../fixtures/open-order-mock.ts';
import { createMock } from './create-mock.ts';

test('logs a NUL in a field as a blank, and the other fields as they were', async () => {
  const { mock } = await openOrderMock();
  const headers = [
    ['x-first', 'a\0b'],
    ['x-second', 'c'],
  ] as const;
  await mock.send({ method: 'GET', target: '/orders', headers, body: undefined });
  expect(mock.requests.list()[0]?.request.headers).toEqual([
    ['x-first', 'a b'],
    ['x-second', 'c'],
  ]);
  await mock.close();
});

test('refuses credentials whose header no request can have', async () => {
  const responses = { '200': { description: 'ok' } };
  const mock = await createMock(
    contractOf({
      paths: { '/orders': { get: { security: [{ key: [] }], responses } } },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: '[' } } },
    }),
  );
  expect((await mock.fetch('/orders')).status).toBe(401);
});
