import { expect, test } from 'vitest';
import { checkSwitches } from './main.ts';

test.each(['--watch=yes', '--watch=', '-q=1'])('refuses %s', (word) => {
  expect(() => checkSwitches(['mock', word], ['watch', 'q'])).toThrow(
    /^Failed to read the option "(--watch|-q).*": it is a switch, and takes no value but true and false\. Write -/u,
  );
});

test.each(['--watch', '--watch=true', '--no-watch', '--watch=false', '--host=yes', 'watch=yes'])(
  'takes %s',
  (word) => {
    expect(() => checkSwitches(['mock', word], ['watch'])).not.toThrow();
  },
);
