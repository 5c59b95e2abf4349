import { expect, test } from 'vitest';
import { readCors } from '../mock-setup.ts';

test.each([
  [true, [], {}],
  [true, ['http://a', 'http://b'], { origins: ['http://a', 'http://b'] }],
  [false, [], false],
])('cors %s with the origins %j is %j', (cors, origins, expected) => {
  expect(readCors({ cors, 'cors-origin': origins })).toEqual(expected);
});

test('refuses an origin where no page is let in', () => {
  expect(() => readCors({ cors: false, 'cors-origin': ['http://a'] })).toThrow(
    'Failed to read the option "--cors-origin http://a": --no-cors lets no page of another origin in. Leave one of them out.',
  );
});
