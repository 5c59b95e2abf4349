import { expect, test } from 'vitest';
import { optionsOf } from '../config/command-options.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { testCommand } from './commands/test.ts';
import { placeError } from './place-error.ts';

const values = {
  'max-time': 5,
  'base-url': 'http://me:secret@h',
  header: ['X-A: s3cret', 'X B: s3cret'],
  report: ['json=no/a.json'],
  runs: 7,
};
const origins = new Map([
  ['max-time', 'c.yaml:2:3'],
  ['base-url', '$CLOCHE_URL'],
  ['header', 'c.yaml:4:1'],
  ['header X-A: s3cret', 'c.yaml:4:12'],
  ['header X B: s3cret', 'c.yaml:4:25'],
  ['report', 'c.yaml:5:1'],
  ['report json=no/a.json', 'c.yaml:5:12'],
]);

function place(subject: string, reason: string, remedy: string): string {
  const error = new ClocheError('OPTION_INVALID', { attempt: 'use', subject, reason, remedy });
  const placed = placeError(error, { options: optionsOf(testCommand), values, origins });
  if (!(placed instanceof ClocheError)) throw new Error('it is no error of Cloche');
  expect(placed.code).toBe('OPTION_INVALID');
  return placed.message;
}

test.each([
  ['--max-time 5', 'Give another --max-time', '"maxTime 5 in c.yaml:2:3": it fails. Give another maxTime.'],
  [
    'the place',
    'Choose it with --max-time 6',
    '"the place": it fails. Choose it with maxTime: 6 in c.yaml:2:3.',
  ],
  ['the place', 'Choose it with --runs 6', '"the place": it fails. Choose it with --runs 6.'],
  ['--header X B: ***', 'Fix it', '"headers X B: *** in c.yaml:4:25": it fails. Fix it.'],
  ['no/a.json', 'Fix it', '"no/a.json (reports in c.yaml:5:12)": it fails. Fix it.'],
  ['http://***@h', 'Fix it', '"http://***@h (CLOCHE_URL)": it fails. Fix it.'],
  [
    'the service',
    'Give more with --max-time, or fewer cases with --runs',
    '"the service": it fails. Give more with maxTime in c.yaml:2:3, or fewer cases with --runs.',
  ],
  ['--runs 7', 'Give another --runs', '"--runs 7": it fails. Give another --runs.'],
])('names the place of %s', (subject, remedy, message) => {
  expect(place(subject, 'it fails', remedy)).toBe(`Failed to use ${message}`);
});

test('passes on other errors', () => {
  const error = new Error('other');
  expect(placeError(error, { options: optionsOf(testCommand), values, origins })).toBe(error);
});
