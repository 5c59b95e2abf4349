import { expect, test } from 'vitest';
import { findAny } from '../../../fixtures/life-cycle-trace.ts';

const tea = '{"id":7,"title":"tea"}';
const create = `POST /tasks {"title":"tea"} > 201 ${tea}`;
const read = `GET /tasks/7 > 200 ${tea}`;
const absent = 'GET /tasks/7 > 404';
const deleted = [create, 'DELETE /tasks/7 > 204', absent];
const put = (status: number): string => `PUT /tasks/7 {"title":"tea"} > ${status} [Location: none] ${tea}`;

const shown = { description: 'The task.', content: { 'application/json': { schema: { type: 'object' } } } };
const gone = { '404': { description: 'There is none.' } };
const both = { operations: { replaceTask: { responses: { '200': shown, '201': shown, ...gone } } } };
const only = (status: string) => ({
  operations: { replaceTask: { responses: { [status]: shown, ...gone } } },
});

test('finds a PUT that answers 201 for an item that was read', () => {
  const lines = [create, read, put(201), read];
  expect(findAny(lines, both)).toEqual(['violation replaceTask: 201 for an item that exists']);
  expect(findAny(lines, only('201'))).toEqual(['warning replaceTask: 201 for an item that exists']);
  expect(findAny(lines.with(2, put(200)), both)).toEqual([]);
});

test('finds a PUT that answers 200 although it created the item', () => {
  const lines = [...deleted, put(200), read];
  expect(findAny(lines, both)).toEqual(['violation replaceTask: 200 for an item that is created']);
  expect(findAny(lines, only('200'))).toEqual(['warning replaceTask: 200 for an item that is created']);
  expect(findAny(lines.with(3, put(201)), both)).toEqual([]);
});

test.each([
  ['no read shows that it existed', [create, put(201), read]],
  [
    'something came between',
    [create, read, 'POST /tasks {"title":"jam"} > 201 {"id":8,"title":"jam"}', put(201)],
  ],
  [
    'its Location names another item',
    [create, read, `PUT /tasks/7 {"title":"tea"} > 201 [Location: /tasks/8] ${tea}`],
  ],
  ['no read shows that it did not exist', [create, 'DELETE /tasks/7 > 204', put(200), read]],
  ['no read shows what it created', [...deleted, put(200)]],
  ['its status is not declared', [...deleted, put(204), read]],
  [
    'another client had not found it',
    [create, 'GET /tasks/7 [Authorization: Bearer other] > 404', put(200), read],
  ],
])('finds nothing if %s', (_what, lines) => {
  expect(findAny(lines, both)).toEqual([]);
});
