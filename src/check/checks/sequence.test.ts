import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { judgeTrace, type TraceRow } from '../../../fixtures/judge-trace.ts';
import { loadContract } from '../../contract/load.ts';
import type { SequenceCheck } from '../define-check.ts';
import {
  equalRequestsCheck,
  forgottenKeyCheck,
  raceCheck,
  refusedLeavesTraceCheck,
  followStore,
  whyRaceUnchecked,
} from './sequence.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** A create by its id and its status: taken, or refused; the names of bodies that differ stand behind the id. */
function row(text: string): TraceRow {
  const [id = '', status = '', name = 'fern'] = text.split(' ');
  const wasAccepted = status.startsWith('2');
  return {
    body: `{"id":${id},"name":"${name}"}`,
    status: Number(status),
    answer: wasAccepted ? `{"name":"${name}"}` : `{"error":${status},"message":"no"}`,
  };
}

function run(check: SequenceCheck, ...rows: readonly (string | TraceRow)[]): readonly string[] {
  const trace = judgeTrace(
    contract,
    rows.map((one) => (typeof one === 'string' ? row(one) : one)),
  );
  return check
    .judgeTrace(trace, createCheckContext(contract))
    .map(({ check: id, level }) => `${level} ${id}`);
}

const unequal = ['violation equal-requests'];
const forgotten = ['warning forgotten-key'];
const raced = ['warning race'];

test('follows what every key is to a store', () => {
  const malformed: TraceRow = { body: '{"id":1003', status: 400, answer: '{"error":400,"message":"no"}' };
  const rows = [row('1000 200'), row('1000 400'), row('1001 400'), row('1001 200'), row('1002 500')];
  const trace = judgeTrace(contract, [
    ...rows,
    row('1002 200'),
    malformed,
    row('1003 200'),
    row('1000.0 400'),
  ]);
  expect(followStore(trace).map(({ key, before }) => `${key ?? 'none'} ${before}`)).toEqual([
    '1000 free',
    '1000 taken',
    '1001 free',
    '1001 named',
    '1002 free',
    '1002 unknown',
    'none free',
    '1003 named',
    '1000 taken',
  ]);
});

test('finds a request that is refused and then accepted', () => {
  expect(run(equalRequestsCheck, '1000 200', '1001 400', '1001 200')).toEqual(unequal);
  expect(run(equalRequestsCheck, '1000 400', '1001 200', '1000 400', '1000 200')).toEqual(unequal);
});

test.each([
  ['a fresh key that is refused each time', ['1000 200', '1001 400', '1001 400', '1002 200']],
  ['a key that is taken and then refused', ['1000 200', '1000 400']],
  ['a key that exists and is taken again', ['1000 200', '1000 400', '1000 200']],
  ['the same name again under another key', ['1000 200', '1001 400', '1002 400']],
  ['another body under the key', ['1000 400 fern', '1000 200 moss']],
  ['a status that the document does not declare', ['1000 422', '1000 200']],
  ['a failure of the server', ['1000 500', '1000 200']],
  ['a request that was put off', ['1000 429', '1000 200']],
  ['a conflict with what others do', ['1000 409', '1000 200']],
])('says nothing of %s', (_title, rows) => {
  expect(run(equalRequestsCheck, ...rows)).toEqual([]);
});

test('says nothing of a body that is not plain, or not trusted', () => {
  const long = 'n'.repeat(200);
  expect(run(equalRequestsCheck, `1000 400 ${long}`, `1000 200 ${long}`)).toEqual([]);
  expect(run(equalRequestsCheck, { ...row('1000 400'), trusted: false }, '1000 200')).toEqual([]);
});

test('warns of a key that is refused as existing and later taken', () => {
  expect(run(forgottenKeyCheck, '1000 200', '1000 409', '1001 200', '1000 200')).toEqual(forgotten);
});

test.each([
  ['a key that is refused each time', ['1000 200', '1000 400', '1001 200', '1000 400']],
  ['a key that is taken each time', ['1000 200', '1000 200', '1000 200']],
  ['the first body, which is answered as before', ['1000 200 fern', '1000 409 moss', '1000 200 fern']],
  ['a repeat that was put off', ['1000 200', '1000 429', '1000 200']],
])('does not advise on %s', (_title, rows) => {
  expect(run(forgottenKeyCheck, ...rows)).toEqual([]);
});

const runExclusive = ['1000 200 fern', '1000 400 moss', '1000 400 ivy'];

test('warns of a key that several requests side by side are taken for', () => {
  const trace = judgeTrace(
    contract,
    [...runExclusive, '1001 400', '1001 200', '1001 200', '1002 200'].map(row),
  );
  const [found] = raceCheck.judgeTrace(trace, createCheckContext(contract));
  expect(found).toMatchObject({ level: 'warning', check: 'race' });
  expect(found?.shownBy).toEqual(trace.slice(3, 6));
});

test('says nothing of races where one request wins, whatever the others are told', () => {
  expect(run(raceCheck, ...runExclusive, '1001 200', '1001 409', '1001 400', '1002 422', '1002 200')).toEqual(
    [],
  );
  expect(run(raceCheck, ...runExclusive, '1001 400', '1001 400')).toEqual([]);
});

test('cannot judge races where a repeated key is taken one after the other', () => {
  for (const rows of [
    ['1000 200', '1000 200', '1000 200'],
    ['1000 200', '1000 400', '1000 200'],
  ]) {
    expect(run(raceCheck, ...rows, '1001 200', '1001 200')).toEqual([]);
    expect(whyRaceUnchecked(judgeTrace(contract, rows.map(row)))).toMatch(
      /does not always refuse a repeated id/u,
    );
  }
  expect(run(raceCheck, ...runExclusive, '1001 200', '1001 200')).toEqual(raced);
  expect(whyRaceUnchecked(judgeTrace(contract, runExclusive.map(row)))).toBeUndefined();
});

const rejectedStatus: TraceRow = { ...row('1001 401'), trusted: false };

test('finds what a request that was turned away left behind, anywhere in a sequence', () => {
  const traced = ['violation refused-leaves-trace'];
  expect(run(refusedLeavesTraceCheck, rejectedStatus, '1001 400', '1002 200')).toEqual(traced);
  expect(
    run(refusedLeavesTraceCheck, '1000 200', rejectedStatus, '1003 200', '1001 400', '1004 200'),
  ).toEqual(traced);
});

test.each([
  ['the key is taken', [rejectedStatus, '1001 200', '1002 200']],
  ['nothing shows that its body is taken under another key', [rejectedStatus, '1001 400', '1002 400']],
  ['another body is taken under another key', [rejectedStatus, '1001 400 fern', '1002 200 moss']],
  ['the key was created before', ['1001 200', rejectedStatus, '1001 400', '1002 200']],
  ['a plain request was refused before', ['1001 400', '1001 400', '1002 200']],
])('finds no trace where %s', (_title, rows) => {
  expect(run(refusedLeavesTraceCheck, ...rows)).toEqual([]);
});
