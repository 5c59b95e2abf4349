import { expect, test } from 'vitest';
import { encodePathTemplate } from './request.ts';

test.each([
  ['/plants', '/plants'],
  ['/cafés/{é}/menu', '/caf%C3%A9s/{é}/menu'],
  [String.raw`/q"r\s/a b`, '/q%22r%5Cs/a%20b'],
  ['/a%20b/100%', '/a%20b/100%25'],
  ["/v1:batch/it's/(x)", "/v1:batch/it's/(x)"],
])('writes %s as %s', (template, written) => {
  expect(encodePathTemplate(template)).toBe(written);
});
