import { expect, test } from 'vitest';
import { nameInRepository } from './source.ts';

test.each([
  ['/w/shop/api/openapi.yaml', 'api/openapi.yaml'],
  ['/w/shop/..api.yaml', '..api.yaml'],
  ['/w/other/openapi.yaml', undefined],
  ['/w/shop/node_modules/a/openapi.yaml', undefined],
  ['https://h/openapi.yaml', undefined],
])('calls %s in /w/shop %s', (file, name) => {
  expect(nameInRepository(file, '/w/shop')).toBe(name);
});
