import { expect, test } from 'vitest';
import { findIn, type LifeCycleLine } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const properties = { done: { type: 'boolean' }, seen: { type: 'boolean' } };
const show = (id: number, state: string): string => `{"id":${id},"title":"task ${id}",${state}}`;
const open = '"done":false';
const done = '"done":true';
const create = (id: number, state = open): LifeCycleLine =>
  `POST /tasks {"title":"task ${id}",${state}} > 201 ${show(id, state)}`;
const read = (id: number, state = open): LifeCycleLine => `GET /tasks/${id} > 200 ${show(id, state)}`;
const list = 'GET /tasks > 200 []';

/** Each item is there before the one above it is read for the first time, so that it waits for longer. */
const readTwice = [create(1), create(2), create(3), ...[3, 2, 1].flatMap((id) => [read(id), read(id, done)])];

const movesByCreate = (id: number, count: number): readonly LifeCycleLine[] => [
  create(id),
  ...Array.from({ length: count }, () => read(id)),
  create(id + 10),
  read(id, done),
];

test('safe-method-changes finds a flag that moves with the first read of each of three items', () => {
  expect(findIn(statefulChecks['safe-method-changes'], readTwice, { properties })).toEqual([
    'violation getTask: done changed by reading',
  ]);
});

test('safe-method-changes finds a flag that moves with each list', () => {
  const looks = [1, 1, 10];
  const lines = looks.flatMap((count, id) => [
    create(id),
    ...Array.from({ length: count }, () => read(id)),
    list,
    read(id, done),
  ]);
  expect(findIn(statefulChecks['safe-method-changes'], lines, { properties })).toEqual([
    'violation listTask: done changed by reading',
  ]);
});

test('spill finds a flag that moves with each create of another item', () => {
  const lines = [1, 1, 10].flatMap((count, id) => movesByCreate(id, count));
  expect(findIn(statefulChecks.spill, lines, { properties })).toEqual(['violation createTask: done changed']);
});

test('merge-patch finds a flag that moves with each update which does not name it', () => {
  const looks = [1, 1, 10];
  const lines = looks.flatMap((count, id) => [
    create(id),
    ...Array.from({ length: count }, () => read(id)),
    `PATCH /tasks/${id} {"note":"a pot"} [Content-Type: application/merge-patch+json] > 200`,
    read(id, done),
  ]);
  expect(findIn(statefulChecks['merge-patch'], lines, { properties })).toEqual([
    'violation updateTask: done changed',
  ]);
});

test('what is over before any timer is no matter of time, however long a change takes beside a read', () => {
  const lines = [1, 1, 10].flatMap((count, id) => movesByCreate(id, count));
  const causes = (post: number): readonly string[] =>
    findIn(statefulChecks.spill, lines, {
      properties,
      tookMs: (method) => (method === 'POST' ? post : 0.01),
    });
  expect(causes(0.5)).toEqual(['violation createTask: done changed']);
  expect(causes(5)).toEqual([]);
});

test.each<readonly [string, readonly LifeCycleLine[]]>([
  ['a flag that moves of one item', readTwice.slice(0, -2)],
  [
    'flags that move some requests after they were written',
    [1, 2, 3].flatMap((id) => [create(id), read(id), read(id, done)]),
  ],
  ['a flag that one item moved before it was read', [create(4), read(4, done), ...readTwice]],
  [
    'a flag of items that stayed hardly longer than it took another to move',
    [1, 1, 6].flatMap((count, id) => movesByCreate(id, count)),
  ],
  [
    'a flag that moves with each create, and of one item between two reads',
    [create(9), read(9), read(9, done), ...[1, 1, 10].flatMap((count, id) => movesByCreate(id, count))],
  ],
  ['a flag that another item keeps when it is read again', [create(4), read(4), read(4), ...readTwice]],
  ['a flag that is said to tell what was seen', readTwice.map((line) => line.replaceAll('"done"', '"seen"'))],
  [
    'a flag that moved once, and an update in between',
    [create(1), read(1), 'PATCH /tasks/1 {"title":"task 1"} > 200', read(1, done)],
  ],
])('nothing is concluded of %s', (_what, lines) => {
  expect(Object.values(statefulChecks).flatMap((check) => findIn(check, lines, { properties }))).toEqual([]);
});
