import { expect, test } from 'vitest';
import { describeControl } from './commands/run-mock.ts';

const here = { url: 'http://127.0.0.1:1', isOpenToOthers: false };
const everywhere = { url: 'http://0.0.0.0:1', isOpenToOthers: true };

test.each([
  ['nothing where only this machine reaches it', here, {}, ''],
  ['nothing where there is none', everywhere, false, ''],
  ['that a token is missing', everywhere, {}, 'it takes a --control-token'],
  [
    'that a token is wanted, and not which',
    everywhere,
    { token: 'hush' },
    'whoever sends the control token.',
  ],
] as const)('says %s', (_name, place, control, words) => {
  const said = describeControl(place, control).join();
  expect([said.includes(words), said === '', said.includes('hush')]).toEqual([true, words === '', false]);
});
