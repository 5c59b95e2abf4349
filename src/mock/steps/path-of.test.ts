import { expect, test } from 'vitest';
import { pathOf } from '../../http/path.ts';

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
