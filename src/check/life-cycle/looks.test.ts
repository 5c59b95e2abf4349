import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findIn, lifeCycleTrace, taskContract } from '../../../fixtures/life-cycle-trace.ts';
import { lifeCycleChecks } from './life-cycle-checks.ts';

/** The levels and causes of what read-after-write finds in a trace. */
function findLevels(lines: readonly string[]): readonly string[] {
  const contract = taskContract();
  const trace = lifeCycleTrace(contract, lines);
  return lifeCycleChecks['read-after-write']
    .judgeTrace(trace, createCheckContext(contract))
    .map(({ level, cause }) => `${level} ${cause}`);
}

test('warns of an optional property that no response shows', () => {
  const bare = '{"id":7,"title":"tea"}';
  const lines = [`POST /tasks {"title":"tea","note":"two cups"} > 201 ${bare}`, `GET /tasks/7 > 200 ${bare}`];
  expect(findLevels(lines)).toEqual(['warning note missing']);
});

test('warns of a replace that does not change what the id is made of', () => {
  const made = 'POST /tasks {"title":"2027"} > 201 {"id":20277,"title":"2027"}';
  const shown = 'GET /tasks/20277 > 200 {"id":20277,"title":"2027"}';
  const lines = [made, 'PUT /tasks/20277 {"title":"black"} > 200', shown];
  expect(findLevels(lines)).toEqual(['warning title as it was before']);
});

test('takes no value that the service gives by itself for that of another item', () => {
  const note = (id: number, value: string): string => `{"id":${id},"title":"tea","note":"${value}"}`;
  const lines = [
    `POST /tasks {"title":"tea"} > 201 ${note(7, 'low')}`,
    `POST /tasks {"title":"tea"} > 201 ${note(8, 'low')}`,
    'PUT /tasks/7 {"title":"tea","note":"high"} > 200',
    'PUT /tasks/8 {"title":"tea","note":"low"} > 200',
    `GET /tasks/7 > 200 ${note(7, 'low')}`,
  ];
  expect(findIn(lifeCycleChecks.spill, lines)).toEqual([]);
  const kept = `GET /tasks/7 > 200 ${note(7, 'high')}`;
  const spilt = [
    ...lines.slice(0, 3),
    kept,
    'PUT /tasks/8 {"title":"tea","note":"new"} > 200',
    `GET /tasks/7 > 200 ${note(7, 'new')}`,
  ];
  expect(findIn(lifeCycleChecks.spill, spilt)).toEqual(['violation replaceTask: note of another item']);
});
