import { expect, test } from 'vitest';
import { findAny } from '../../../fixtures/life-cycle-trace.ts';

const tea = '{"id":7,"title":"tea"}';
const create = `POST /tasks {"title":"tea"} > 201 ${tea}`;
const lines = [create, 'GET /tasks > 200 []'];
const missing = ['violation listTask: an item is missing'];

/** Returns what a list without the item shows this time after the create, if the description of an operation has a sentence. */
const findAfter = (elapsedMs: number, id: string, description: string): readonly string[] =>
  findAny(lines, { operations: { [id]: { description } }, known: { elapsedMs: () => elapsedMs } });

test.each([
  ['listTask', 'A new task may take up to 10 seconds to appear.', 10_000],
  ['listTask', 'Changes are visible within 300ms.', 300],
  ['listTask', 'Cached for 1.5 minutes.', 90_000],
  ['listTask', 'It takes 3 seconds, or 2 hours at night, to be listed.', 7_200_000],
  ['createTask', 'The task may take up to 3 s to appear in lists.', 3_000],
])('%s: "%s" explains a list without the item for %i ms', (id, sentence, ms) => {
  expect(findAfter(ms - 1, id, sentence)).toEqual([]);
  expect(findAfter(ms, id, sentence)).toEqual(missing);
});

test.each([
  ['listTask', 'A task appears with its visits within the last 24 hours.'],
  ['listTask', "The service's tasks."],
  ['createTask', 'A mail is sent within 5 seconds.'],
  ['deleteTask', 'The list may take 2 seconds to be up to date.'],
])('%s: "%s" explains nothing about a list after a create', (id, sentence) => {
  expect(findAfter(0, id, sentence)).toEqual(missing);
});

test('lowers what a late response shows to a warning if the document states no time', () => {
  const operations = { listTask: { description: 'All tasks. The list is eventually consistent.' } };
  expect(findAny(lines, { operations })).toEqual(['warning listTask: an item is missing']);
});

test('concludes nothing from late responses if their times are unknown', () => {
  const operations = { listTask: { description: 'Visible after up to 5 seconds.' } };
  expect(findAny(lines, { operations })).toEqual([]);
  const read = 'GET /tasks/7 > 200 {"id":7,"title":"jam"}';
  expect(findAny([...lines, read], { operations })).toEqual(['violation createTask: title changed']);
});

test('does not take a response within a lag for the state of an item', () => {
  const operations = { getTask: { description: 'Changes are visible after up to 2 seconds.' } };
  const early = [create, 'GET /tasks/7 > 200 {"id":7,"title":"tea","createdAt":"2026-01-01"}'];
  const later = [...early, 'GET /tasks/7 > 404'];
  expect(findAny(later)).toEqual(['violation getTask: gone by reading']);
  expect(findAny(later, { operations })).toEqual([]);
});
