import { expect, test } from 'vitest';
import { findAny } from '../../../fixtures/life-cycle-trace.ts';

const start = [
  'POST /tasks {"title":"tea"} > 201 {"id":7,"title":"tea"}',
  'PUT /tasks/7 {"title":"jam","note":"red","effort":1} > 200 {"id":7,"title":"jam","note":"red","effort":1}',
  'PUT /tasks/7 {"title":"oil","tags":["a"],"effort":2} > 200 {"id":7,"title":"jam","note":"red","effort":1}',
];
const at = new Map([
  ['jam', 1],
  ['oil', 2],
]);
/** Both replaces were in flight at the same time. */
const isConcurrent = (one: object, other: object): boolean =>
  [one, other].every((each) => [...at.keys()].some((title) => JSON.stringify(bodyOf(each)).includes(title)));
// `as`: an exchange of a trace.
const bodyOf = (judged: object): unknown =>
  (judged as { readonly request: { readonly body: unknown } }).request.body;
const find = (...lines: readonly string[]): readonly string[] =>
  findAny([...start, ...lines], { known: { isConcurrent } });
const read = (more: string): string => `GET /tasks/7 > 200 {"id":7,${more}}`;

test('finds a mixture of two concurrent replaces', () => {
  const mixed = ['violation replaceTask: two replaces are mixed'];
  expect(find(read('"title":"oil","note":"red","effort":1'))).toEqual(mixed);
  expect(find(read('"title":"oil","tags":["a"],"note":"red","effort":2'))).toEqual(mixed);
});

test.each([
  ['the first', read('"title":"jam","note":"red","effort":1')],
  ['the second', read('"title":"oil","tags":["a"],"effort":2')],
])('nothing is found if the item shows %s of two concurrent replaces', (_which, line) => {
  expect(find('GET /tasks > 200 [{"id":7,"title":"jam"}]', line, line)).toEqual([]);
});

test('what one of two concurrent replaces wrote stays', () => {
  const first = read('"title":"jam","note":"red","effort":1');
  expect(find(first, read('"title":"oil","note":"red","effort":1'))).toHaveLength(1);
});
