import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { type LifeCycleLine, lifeCycleTrace, taskContract } from '../../../fixtures/life-cycle-trace.ts';
import { noteProbed } from '../../check/drift/probed.ts';
import { statefulChecks } from '../../check/stateful/stateful-checks.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { compareTraces } from './traces.ts';

const contract = taskContract();
const context = createCheckContext(contract);
const checks = Object.values(statefulChecks).map(({ judgeTrace }) => judgeTrace);

/** What sets two services apart, in words; `probed` are values that a probe found in each. */
function compare(
  mine: readonly LifeCycleLine[],
  other: readonly LifeCycleLine[],
  probed: readonly BehaviourValues['deleted-again'][] = [],
): readonly string[] {
  const [left, right] = [mine, other].map((lines) => lifeCycleTrace(contract, lines));
  const operation = contract.operations.find(({ method }) => method === 'DELETE');
  for (const [index, answer] of probed.entries()) {
    const trace = [left, right][index];
    if (trace === undefined || operation === undefined) throw new Error('There is nothing to note.');
    noteProbed(trace, { id: 'deleted-again', operation, result: { kind: 'answer', answer } });
  }
  const found = compareTraces({
    mine: left ?? [],
    other: right ?? [],
    checks,
    concluded: checks.flatMap((check) => check(left ?? [], context)),
    context,
    otherContext: context,
    names: { tested: 'the service', other: 'the mock' },
  });
  return found.flatMap(({ check, level, cause, parity }) =>
    parity === undefined ? [] : [`${level} ${check} ${parity.verdict.kind}: ${cause}`],
  );
}

/** A life of one item, with an id and a time that the service makes. */
const life = (id: number, title = 'jam'): readonly LifeCycleLine[] => [
  `POST /tasks {"title":"tea"} > 201 {"id":${id},"title":"tea","createdAt":"at ${id}"}`,
  `GET /tasks/${id} > 200 {"id":${id},"title":"tea","createdAt":"at ${id}"}`,
  `PUT /tasks/${id} {"title":"jam"} > 200 {"id":${id},"title":"${title}","createdAt":"at ${id}"}`,
];

test('ids, times and items of others do not set two services apart', () => {
  expect(compare(life(7), life(70))).toEqual([]);
  const list = (id: number, others: string): LifeCycleLine =>
    `GET /tasks > 200 [${others}{"id":${id},"title":"jam","createdAt":"at ${id}"}]`;
  expect(compare([...life(7), list(7, '')], [...life(70), list(70, '{"id":1,"title":"old"},')])).toEqual([]);
});

test('what breaks the document is the fault of the one that does', () => {
  const kept = 'GET /tasks/7 > 200 {"id":7,"title":"tea"}';
  const changed = 'GET /tasks/70 > 200 {"id":70,"title":"jam"}';
  expect(compare([...life(7), kept], [...life(70), changed])).toEqual([
    'violation read-after-write tested-wrong: title as it was before',
  ]);
  expect(compare([...life(70), changed], [...life(7), kept])).toEqual([
    'violation parity other-wrong: read-after-write title as it was before',
  ]);
});

test('names the behaviour that a probe found to differ', () => {
  expect(compare(life(7), life(70), ['success', 'not-found'])).toEqual([
    'warning parity silent: deleted-again: "success"',
  ]);
  expect(compare(life(7), life(70), ['success', 'success'])).toEqual([]);
});

test('names what an answer, or a list, shows otherwise', () => {
  expect(compare(life(7, 'JAM'), life(70))).toEqual(['warning parity silent: another /title']);
  const two = (first: number, second: number, order: readonly number[]): readonly LifeCycleLine[] => [
    `POST /tasks {"title":"a"} > 201 {"id":${first},"title":"a"}`,
    `POST /tasks {"title":"b"} > 201 {"id":${second},"title":"b"}`,
    `GET /tasks > 200 [${order.map((id) => `{"id":${id},"title":"${id === first ? 'a' : 'b'}"}`).join()}]`,
  ];
  expect(compare(two(1, 2, [2, 1]), two(8, 9, [8, 9]))).toEqual([
    'warning parity silent: the items in another order',
  ]);
});

test('nothing is compared of an item that only one of them made', () => {
  const made = 'POST /tasks {"title":"tea"} > 201 {"id":7,"title":"tea"}';
  const elsewhere = 'GET /tasks/8 > 404';
  expect(compare([made, elsewhere], [made, 'GET /tasks/8 > 200 {"id":8,"title":"old"}'])).toEqual([]);
});
