import { expect, test } from 'vitest';
import { type CallbackExchange, evaluateTemplate } from './runtime-expression.ts';

const exchange: CallbackExchange = {
  url: 'http://shop.example/orders/a%20b?to=http%3A%2F%2F127.0.0.1%3A9&plus=1+2',
  method: 'POST',
  statusCode: 201,
  path: { id: 'a%20b' },
  request: {
    header: (name) => (name === 'x-to' ? 'http://127.0.0.1:8' : undefined),
    body: { to: ['http://127.0.0.1:7'], 'a/b': 1, zero: 0, none: null },
  },
  response: { header: (name) => (name === 'location' ? '/orders/7' : undefined), body: { id: 7 } },
};

test.each([
  ['$url', exchange.url],
  ['$method', 'POST'],
  ['$statusCode', '201'],
  ['$request.query.to', 'http://127.0.0.1:9'],
  ['$request.query.plus', '1 2'],
  ['$request.header.X-To', 'http://127.0.0.1:8'],
  ['$request.path.id', 'a b'],
  ['$request.body#/to/0', 'http://127.0.0.1:7'],
  ['$request.body#/a~1b', '1'],
  ['$request.body#/zero', '0'],
  ['$response.body', '{"id":7}'],
  ['$response.body#/id', '7'],
  ['$response.header.Location', '/orders/7'],
  ['http://127.0.0.1:1/fixed', 'http://127.0.0.1:1/fixed'],
  ['{$request.body#/to/0}/done?id={$response.body#/id}&by={$method}', 'http://127.0.0.1:7/done?id=7&by=POST'],
])('%s is %s', (template, text) => {
  expect(evaluateTemplate(template, exchange)).toEqual({ text });
});

test.each([
  '$request.query.from',
  '$request.header.X-From',
  '$request.path.toString',
  '$request.body#/to/1',
  '$request.body#/none',
  '$request.bodyx',
  '$response.path.id',
  '$response.query.to',
  '$response.header.x-to',
  '$unknown',
])('%s has no value', (expression) => {
  expect(evaluateTemplate(expression, exchange)).toEqual({ missing: expression });
  expect(evaluateTemplate(`http://127.0.0.1/{${expression}}`, exchange)).toEqual({ missing: expression });
});

test('a body that is absent has no value', () => {
  const without = { ...exchange, request: { ...exchange.request, body: undefined } };
  expect(evaluateTemplate('{$request.body#/to}', without)).toEqual({ missing: '$request.body#/to' });
});
