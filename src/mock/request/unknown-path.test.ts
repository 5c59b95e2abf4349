import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createUnknownExplainer, renderSignpost } from './unknown-path.ts';

const responses = { 204: { description: 'Done.' } };
const small = createUnknownExplainer(
  contractOf({
    paths: {
      '/orders': { post: { responses }, get: { responses } },
      '/orders/{order}': { delete: { responses } },
      '/api/v1/shops': { get: { responses } },
    },
  }),
);
const all = 'GET /orders, POST /orders, DELETE /orders/{order} and GET /api/v1/shops';
const large = createUnknownExplainer(
  contractOf({
    paths: Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`/thing${index}`, { get: { responses } }]),
    ),
  }),
);

test.each([
  ['POST', '/order', 'There is nothing at /order: the nearest is POST /orders.'],
  ['PUT', '/ordres', 'There is nothing at /ordres: the nearest is GET, POST /orders.'],
  [
    'GET',
    '/orders/',
    'There is nothing at /orders/: the nearest is GET /orders, without a slash at its end.',
  ],
  ['GET', '//orders', 'There is nothing at //orders: the nearest is GET /orders, with single slashes.'],
  [
    'GET',
    '/Orders',
    'There is nothing at /Orders: the nearest is GET /orders, in which upper and lower case count.',
  ],
  [
    'GET',
    '/api/v2/orders',
    'There is nothing at /api/v2/orders: the nearest is GET /orders, without /api/v2 before it.',
  ],
  ['GET', '/shops', 'There is nothing at /shops: the nearest is GET /api/v1/shops, with /api/v1 before it.'],
  ['GET', '/api/v2/shops', 'There is nothing at /api/v2/shops: the nearest is GET /api/v1/shops.'],
  ['DELETE', '/order/7', 'There is nothing at /order/7: the nearest is DELETE /orders/{order}.'],
])('names the operation that %s %s comes nearest to', (method, path, sentence) => {
  const text = small.explainPath(method, path);
  expect(text.slice(0, sentence.length)).toBe(sentence);
  expect(text.slice(sentence.length)).toMatch(/^ The contract also has /u);
});

test('names what there is where nothing is near', () => {
  expect(small.explainPath('GET', '/customers')).toBe(
    `There is nothing at /customers: the contract has no such path. The contract has ${all}.`,
  );
  expect(small.explainPath('GET', '/')).toContain('no such path');
});

test('says where a method leads that a path does not have', () => {
  const explain = (method: string): string => small.explainMethod(method, '/orders', ['POST', 'GET']);
  expect(explain('DELETE')).toBe(
    'DELETE is not declared for /orders: it takes POST, GET. There is DELETE /orders/{order}.',
  );
  expect(explain('PATCH')).toBe('PATCH is not declared for /orders: it takes POST, GET.');
});

test('keeps to a few words, whatever is sent and however much there is', () => {
  const paths = [
    `/${'x'.repeat(20_000)}`,
    '/a'.repeat(10_000),
    '/%'.repeat(5000),
    `/thing${'1'.repeat(30)}`,
    `/${'thing1/'.repeat(11)}`,
    '/thing1\u0000\u001b[2J',
  ];
  for (const path of paths) {
    const text = large.explainPath('GET', path);
    expect(text).toMatch(/^There is nothing at .*(?:and 29\d more\.)$/su);
    expect(text.length).toBeLessThan(300);
  }
  expect(large.explainPath('GET', '/thng12')).toContain('the nearest is GET /thing12.');
});

test('the page at the root links to the paths that a browser can open, and escapes them', () => {
  const paths = {
    '/a"<b>': { get: { responses } },
    '/a/{id}': { get: { responses } },
    '/b': { post: { responses } },
  };
  const contract = { ...contractOf({ paths }), title: '<script>' };
  const about = { message: 'Nothing & none.', origin: 'http://localhost', prefix: '/__cloche' };
  const page = renderSignpost({ contract, ...about });
  expect(page.match(/<a href="[^"]*">/gu)).toEqual([
    '<a href="http://localhost/a&quot;&lt;b&gt;">',
    '<a href="http://localhost/__cloche/">',
    '<a href="http://localhost/__cloche/docs">',
    '<a href="http://localhost/__cloche/document">',
  ]);
  expect(page).toContain('<h1>&lt;script&gt;</h1>');
  expect(page).toContain('Nothing &amp; none.');
});

test('the page at the root links to at most 200 paths, and counts the others', () => {
  const paths = Object.fromEntries(
    Array.from({ length: 203 }, (_, index) => [`/thing${index}`, { get: { responses } }]),
  );
  const page = renderSignpost({ contract: contractOf({ paths }), message: '', origin: '', prefix: '' });
  expect([page.match(/<li>/gu)?.length, page.includes('And 3 more.')]).toEqual([200, true]);
});
