import { afterEach, expect, test, vi } from 'vitest';
import { readArguments, readControlOptions } from './arguments.ts';
import { options } from './options.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, undefined, {}],
  [undefined, '', {}],
  [undefined, 'hush', { token: 'hush' }],
  ['s3cret', undefined, { token: 's3cret' }],
  ['s3cret', 'hush', { token: 's3cret' }],
])('reads %j, and %j of the environment', (given, inherited, options) => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', inherited);
  expect(readControlOptions({ control: true, 'control-token': given })).toEqual(options);
});

test('a control interface that is switched off has no token, whatever the environment says', () => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', 'hush');
  expect(readControlOptions({ control: false, 'control-token': undefined })).toBe(false);
});

test('refuses a token that nothing would ask for', () => {
  expect(() => readControlOptions({ control: false, 'control-token': 's3cret' })).toThrow(
    'Failed to use the option "--control-token": with --no-control there is no control interface that would ask for it. Leave out one of them.',
  );
});

test('names the option whose token is empty, and the variable whose token no header can carry', () => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', 'a\nb');
  const given = { 'control-token': options['control-token'] };
  expect(() => readArguments({ options: given, values: { 'control-token': '' } })).toThrow('--control-token');
  expect(() => readControlOptions({ control: true, 'control-token': undefined })).toThrow(
    '"CLOCHE_CONTROL_TOKEN"',
  );
});
