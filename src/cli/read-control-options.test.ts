import { afterEach, expect, test, vi } from 'vitest';
import { readControlOptions } from './read-control-options.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, undefined, {}],
  [undefined, '', {}],
  [undefined, 'hush', { token: 'hush' }],
  ['s3cret', undefined, { token: 's3cret' }],
  ['s3cret', 'hush', { token: 's3cret' }],
  // It is no token, which is said where it is used.
  ['', 'hush', { token: '' }],
])('reads %j, and %j of the environment', (given, inherited, options) => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', inherited);
  expect(readControlOptions(given)).toEqual(options);
});
