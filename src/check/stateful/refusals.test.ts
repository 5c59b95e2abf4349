import { expect, test } from 'vitest';
import { findIn } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea"}';
const create = `POST /tasks {"title":"tea"} > 201 ${tea}`;
const read = `GET /tasks/7 > 200 ${tea}`;
const find = (...lines: readonly string[]): readonly string[] =>
  findIn(statefulChecks['created-not-found'], lines);

test('finds a read that refuses an item which was just created', () => {
  expect(find(create, 'GET /tasks/7 > 400')).toEqual(['violation getTask: read refused']);
  expect(find(create, 'GET /tasks/7 > 401')).toEqual([]);
  expect(find('GET /tasks/3 > 400')).toEqual([]);
});

test('finds a change that does not find an item which reads show', () => {
  expect(find(create, read, 'PUT /tasks/7 {"title":"jam"} > 404', read)).toEqual([
    'violation replaceTask: not found by a change',
  ]);
});

test.each([
  ['an item that nobody has read before', [create, 'PUT /tasks/7 {"title":"jam"} > 404', read]],
  [
    'a body that refers to what may be missing',
    [create, read, 'PUT /tasks/7 {"title":"a","ownerId":3} > 404', read],
  ],
  ['a refusal for another reason', [create, read, 'PUT /tasks/7 {"title":"jam"} > 409', read]],
])('finds nothing in %s', (_what, lines) => {
  expect(find(...lines)).toEqual([]);
});

test('precondition-ignored finds a change that refuses the tag that reads before and after it show', () => {
  const find = (...lines: readonly string[]): readonly string[] =>
    findIn(statefulChecks['precondition-ignored'], lines);
  const tagged = `GET /tasks/7 > 200 [ETag: "one"] ${tea}`;
  const change = (tag: string): string => `PUT /tasks/7 [If-Match: ${tag}] {"title":"jam"} > 412`;
  const made = create.replace('201', `201 [ETag: "one"]`);
  const found = ['violation replaceTask: a matching If-Match is refused'];
  expect(find(create, tagged, change('"one"'), tagged)).toEqual(found);
  expect(find(made, change('"one"'), tagged)).toEqual(found);
  expect(find(create, tagged, change('"two"'), tagged)).toEqual([]);
  expect(find(create, tagged, 'PUT /tasks/7 {"title":"jam"} > 200', change('"one"'), tagged)).toEqual([]);
});

test('precondition-ignored finds nothing when the service may have changed the item in between', () => {
  const find = (...lines: readonly string[]): readonly string[] =>
    findIn(statefulChecks['precondition-ignored'], lines);
  const read = (tag: string): string => `GET /tasks/7 > 200 [ETag: "${tag}"] ${tea}`;
  const change = 'PUT /tasks/7 [If-Match: "one"] {"title":"jam"} > 412';
  expect(find(create, read('one'), change)).toEqual([]);
  expect(find(create, read('one'), change, read('two'))).toEqual([]);
});
