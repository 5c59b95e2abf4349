import { expect, test } from 'vitest';
import { normalizePath } from './path.ts';

test.each([
  ['/%74hings', '/things'],
  ['/%7Euser/%2d', '/~user/-'],
  ['/a%2Fb%20c%25', '/a%2Fb%20c%25'],
  ['/%C3%A9%zz%', '/%C3%A9%zz%'],
  ['/plain', '/plain'],
])('takes %s for %s', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});
