import { expect, test } from 'vitest';
import { normalizePath, pathOf } from './path.ts';

test.each([
  ['/%74hings', '/things'],
  ['/%7Euser/%2d', '/~user/-'],
  ['/a%2Fb%20c%25', '/a%2Fb%20c%25'],
  ['/%C3%A9%zz%', '/%C3%A9%zz%'],
  ['/plain', '/plain'],
])('takes %s for %s', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});

test.each([
  ['/orders', '/orders'],
  ['/orders?limit=1', '/orders'],
  ['/orders/a%2Fb?x=/y', '/orders/a%2Fb'],
  ['http://localhost:4010/orders?x=1', '/orders'],
  ['http://localhost', '/'],
  ['HTTPS://host?x', '/'],
  ['*', '*'],
])('takes %j for the path %j', (target, path) => {
  expect(pathOf(target)).toBe(path);
});
