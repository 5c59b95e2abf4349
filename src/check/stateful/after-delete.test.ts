import { expect, test } from 'vitest';
import { findAny, findIn } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const whole = '{"id":7,"title":"tea","note":"two cups"}';
const made = [
  `POST /tasks {"title":"tea","note":"two cups"} > 201 ${whole}`,
  `GET /tasks/7 > 200 ${whole}`,
  'DELETE /tasks/7 > 204',
];
const find = (...lines: readonly string[]): readonly string[] =>
  findIn(statefulChecks['deleted-still-there'], [...made, ...lines]);
const revived = '{"id":7,"title":"jam","note":"two cups"}';

test('finds an update that brings a deleted item back', () => {
  const update = 'PATCH /tasks/7 {"title":"jam"} > 200';
  expect(find(`${update} ${revived}`)).toEqual(['violation updateTask: note after a delete']);
  expect(find(update, `GET /tasks/7 > 200 ${revived}`)).toEqual([
    'violation updateTask: note after a delete',
  ]);
});

test('finds a create under the same id that shows a value of the deleted item', () => {
  expect(find(`POST /tasks {"title":"jam"} > 201 ${revived}`)).toEqual([
    'violation createTask: note after a delete',
  ]);
});

test('finds a change that succeeds after a delete, though nothing is there', () => {
  const lines = [...made, 'PATCH /tasks/7 {"title":"jam"} > 204', 'GET /tasks/7 > 404'];
  expect(findAny(lines)).toEqual(['violation updateTask: item not found']);
});

test.each([
  ['a change that is not found', ['PATCH /tasks/7 {"title":"jam"} > 404', 'GET /tasks/7 > 404']],
  [
    'an update that creates an item of its own values',
    [
      'PATCH /tasks/7 {"title":"jam"} > 201 {"id":7,"title":"jam"}',
      'GET /tasks/7 > 200 {"id":7,"title":"jam"}',
    ],
  ],
  ['the same values, sent again', [made[0] ?? '', `GET /tasks/7 > 200 ${whole}`]],
  [
    'a value that a later replace sends',
    [
      'POST /tasks {"title":"jam"} > 201 {"id":7,"title":"jam"}',
      'PUT /tasks/7 {"title":"jam","note":"two cups"} > 200',
      `GET /tasks/7 > 200 ${revived}`,
    ],
  ],
])('nothing is found in %s', (_what, lines) => {
  expect(findAny([...made, ...lines])).toEqual([]);
});

test('a default of the document is not left over', () => {
  const properties = { note: { type: 'string', default: 'two cups' } };
  expect(findAny([...made, `POST /tasks {"title":"jam"} > 201 ${revived}`], { properties })).toEqual([]);
});

test('nothing is found in a delete that takes effect after a change', () => {
  const read = `GET /tasks/7 > 200 ${whole}`;
  const later = ['DELETE /tasks/7 > 202', read, 'PATCH /tasks/7 {"title":"jam"} > 200', 'GET /tasks/7 > 404'];
  expect(findAny([...made.slice(0, 2), ...later])).toEqual([]);
});
