import { expect, test } from 'vitest';
import { judgeTrace, type TraceRow } from '../../../fixtures/judge-trace.ts';
import { loadContract } from '../../contract/load.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** What is found in one answer, where another request sent `kWqzRt` as its tag. */
function causesOf(row: Omit<TraceRow, 'status'>): readonly string[] {
  const wasSent = (operation: string, text: string): boolean =>
    operation === contract.operations[0]?.id && text === 'kWqzRt';
  const [judged] = judgeTrace(contract, [{ ...row, status: 200 }], { echo: 'violation', wasSent });
  return (judged?.findings ?? []).flatMap(({ check, cause, level }) =>
    level === 'note' ? [] : [`${check}: ${cause}`],
  );
}

test('finds what another request sent in the place of what was not sent', () => {
  const body = '{"id":1000,"name":"fern"}';
  expect(causesOf({ body, answer: '{"name":"fern","tag":"kWqzRt"}' })).toEqual([
    'cross-talk: tag of another request',
  ]);
});

test('finds what another request sent in the place of what was sent, and says nothing of echo', () => {
  const body = '{"id":1000,"name":"fern","tag":"shade"}';
  expect(causesOf({ body, answer: '{"name":"kWqzRt","tag":"shade"}' })).toEqual([
    'cross-talk: name of another request',
  ]);
});

test('leaves a text that nobody sent to echo', () => {
  const body = '{"id":1000,"name":"fern"}';
  expect(causesOf({ body, answer: '{"name":"xWqzRt"}' })).toEqual(['echo: name changed']);
  expect(causesOf({ body, answer: '{"name":"fern","tag":"xWqzRt"}' })).toEqual([]);
});

test('takes a text for its own where the request held it too', () => {
  const body = '{"id":1000,"name":"kWqzRt"}';
  expect(causesOf({ body, answer: '{"name":"kWqzRt"}' })).toEqual([]);
  expect(causesOf({ body, answer: '{"name":"kWqzRt","tag":"kWqzRt"}' })).toEqual([]);
});

test.each(['sent', 'chosen'] as const)('does not judge an answer to a key that was %s', (key) => {
  const body = '{"id":1000,"name":"fern"}';
  expect(causesOf({ body, key, answer: '{"name":"fern","tag":"kWqzRt"}' })).toEqual([]);
});
