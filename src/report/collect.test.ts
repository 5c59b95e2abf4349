import { expect, test } from 'vitest';
import type { FoundCause } from '../runner/events.ts';
import { describeOthers, groupFaults } from './collect.ts';

function found(id: string, finding: Readonly<Record<string, string>>, known?: object): FoundCause {
  const usual = { level: 'violation', check: 'server-error', operation: 'createOrder', cause: '500' };
  // `as`: nothing else of a finding is looked at.
  return { id, finding: { ...usual, ...finding }, known } as unknown as FoundCause;
}

const unvalidated = (id: string, expected: string): FoundCause =>
  found(id, { check: 'invalid-body-accepted', cause: `cause of ${id}`, expected });

const idsOf = (findings: readonly FoundCause[]): readonly (readonly string[])[] =>
  groupFaults(findings).map(({ first, others }) => [first, ...others].map(({ id }) => id));

test('takes what several kinds of request bring about at one operation for one fault', () => {
  const findings = [
    found('a', {}),
    found('b', { cause: '503' }),
    found('c', { trigger: 'a body of 1 MiB' }),
    found('d', { operation: 'readOrder' }),
  ];
  expect(idsOf(findings)).toEqual([['a', 'c'], ['b'], ['d']]);
  expect(groupFaults(findings).flatMap(describeOthers)).toEqual(['a body of 1 MiB [c]']);
});

test('takes it for one fault that an operation lets pass what three places of its schema refuse', () => {
  const two = [
    unvalidated('a', 'a refusal, since /name is missing'),
    unvalidated('b', 'a refusal, since /id is null'),
  ];
  expect(idsOf(two)).toEqual([['a'], ['b']]);
  const three = [...two, unvalidated('c', 'a refusal, since /tag is null')];
  expect(idsOf(three)).toEqual([['a', 'b', 'c']]);
  expect(groupFaults(three).flatMap(describeOthers)).toEqual(['/id is null [b]', '/tag is null [c]']);
});

test('takes it for one fault that a replace keeps several properties', () => {
  const kept = (id: string, name: string): FoundCause =>
    found(id, {
      check: 'replace-is-partial',
      cause: `${name} kept`,
      expected: `nothing of /${name}, which was left out of the replace`,
    });
  const findings = [kept('a', 'title'), kept('b', 'note')];
  expect(idsOf(findings)).toEqual([['a', 'b']]);
  expect(groupFaults(findings).flatMap(describeOthers)).toEqual([
    'nothing of /note, which was left out of the replace [b]',
  ]);
});

test('hides nothing new behind what the baseline knows', () => {
  expect(idsOf([found('a', {}, { reason: 'old' }), found('b', { trigger: 'a body of 1 MiB' })])).toEqual([
    ['a'],
    ['b'],
  ]);
});
