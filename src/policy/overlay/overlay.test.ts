import { expect, test } from 'vitest';
import { toJsonPath } from './overlay.ts';

test.each([
  ['', '$'],
  ['/paths/~1orders/post', "$.paths['/orders'].post"],
  ["/paths/~1a~1{b'c}/get", String.raw`$.paths['/a/{b\'c}'].get`],
  [String.raw`/paths/~1q"r\s`, String.raw`$.paths['/q"r\\s']`],
  ['/paths/~1a~0\n\tb', String.raw`$.paths['/a~\u000a\u0009b']`],
  ['/paths/~1entrées/responses/4XX', "$.paths['/entrées'].responses['4XX']"],
])('selects %j by %s', (pointer, path) => {
  expect(toJsonPath(pointer)).toBe(path);
});
