import { expect, test } from 'vitest';
import { acceptsMedia } from './body.ts';

test.each([
  ['*/*', true],
  ['application/json', true],
  ['APPLICATION/JSON', true],
  ['text/html, application/*;q=0.1', true],
  ['application/json;version=1', true],
  ['text/html', false],
  ['text/html, */*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=0.5, */*;q=0', true],
  ['', true],
  ['garbage', false],
])('reads %j as %j for application/json', (accept, allowed) => {
  expect(acceptsMedia(accept, 'application/json')).toBe(allowed);
});
