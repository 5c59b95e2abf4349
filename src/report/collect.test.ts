import { expect, test } from 'vitest';
import type { FoundCause } from '../events/events.ts';
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

test('groups findings of one cause, and lists other operations before other triggers', () => {
  const findings = [
    found('a', {}),
    found('b', { cause: '503' }),
    found('c', { trigger: 'a body of 1 MiB' }),
    found('d', { operation: 'readOrder' }),
    found('e', { operation: 'readOrder', trigger: 'a body of 1 MiB' }),
  ];
  expect(idsOf(findings)).toEqual([['a', 'd', 'c', 'e'], ['b']]);
  expect(groupFaults(findings).flatMap(describeOthers)).toEqual([
    'at readOrder [d and 1 more]',
    'a body of 1 MiB [c]',
  ]);
});

test('keeps operations apart that fail on different kinds of request', () => {
  const parameter = 'a request with an invalid parameter';
  const findings = [
    found('a', { trigger: 'a valid body with zero at /count' }),
    found('b', { operation: 'readOrder', trigger: parameter }),
    found('c', { operation: 'replaceOrder', trigger: 'a valid body with zero at /size' }),
    found('d', { operation: 'deleteOrder', trigger: parameter }),
    found('e', { operation: 'replaceOrder', trigger: parameter }),
  ];
  expect(idsOf(findings)).toEqual([
    ['a', 'c', 'e'],
    ['b', 'd'],
  ]);
});

test('leads with the most usual trigger, whichever was found first', () => {
  const findings = [
    found('malformed', { trigger: 'a body that is not JSON' }),
    found('nul', { trigger: 'a valid body with NUL at /name' }),
    found('ambiguous', { trigger: 'a body that parsers read differently (a lone surrogate)' }),
    found('past ASCII', { trigger: 'a valid body with characters past ASCII at /name' }),
    found('broken', { trigger: 'a body that breaks its schema at /name' }),
    found('chunked', { trigger: 'a plain valid body in chunks' }),
  ];
  expect(idsOf(findings)).toEqual([['past ASCII', 'chunked', 'broken', 'ambiguous', 'malformed', 'nul']]);
  const plain = found('plain', { operation: 'readOrder', check: 'response-json' });
  const last = found('unusual', {
    operation: 'readOrder',
    check: 'response-json',
    trigger: 'a valid body with NUL',
  });
  expect(idsOf([last, plain])).toEqual([['plain', 'unusual']]);
});

test('puts server errors first and warnings last', () => {
  const findings = [
    found('schema', { check: 'response-schema' }),
    found('location', { check: 'location', level: 'warning' }),
    found('failed', {}),
    found('echo', { check: 'echo' }),
  ];
  expect(idsOf(findings)).toEqual([['failed'], ['schema'], ['echo'], ['location']]);
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
