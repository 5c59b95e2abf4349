import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findAny, lifeCycleTrace, taskContract } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const read = `GET /tasks/7 > 200 ${tea}`;
const notFound = 'GET /tasks/7 > 404';

test.each([
  [
    'a read that may be the only one',
    { getTask: { summary: 'Reads a task once' } },
    [create, read, notFound],
    'getTask: gone by reading',
  ],
  [
    'a list of some items',
    { listTask: { description: 'All active tasks.' } },
    [create, read, 'GET /tasks > 200 []'],
    'listTask: an item is missing',
  ],
  [
    'an archive',
    { deleteTask: { description: 'Archives a task. It stays.' } },
    [create, read, 'DELETE /tasks/7 > 204', read],
    'deleteTask: read',
  ],
  [
    'a replace of what it names',
    { replaceTask: { description: 'What is omitted stays.' } },
    [
      create,
      'PUT /tasks/7 {"title":"rum"} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
    ],
    'replaceTask: note still there',
  ],
  [
    'a replace that needs only what changes',
    { replaceTask: { description: 'Only the relevant fields have to be provided.' } },
    [
      create,
      'PUT /tasks/7 {"title":"rum"} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
    ],
    'replaceTask: note still there',
  ],
  [
    'a list that leaves a value blank',
    { listTask: { summary: 'All tasks, except the actual note' } },
    [create, read, 'GET /tasks > 200 [{"id":7,"title":"tea","note":""}]'],
    'listTask: note changed',
  ],
])('only warns of %s, and quotes the sentence', (_what, operations, lines, found) => {
  expect(findAny(lines)).toContain(`violation ${found}`);
  expect(findAny(lines, { operations })).toEqual([`warning ${found}`]);
  const contract = taskContract({ operations });
  const trace = lifeCycleTrace(contract, lines);
  const [finding] = Object.values(statefulChecks).flatMap((check) =>
    check.judgeTrace(trace, createCheckContext(contract)),
  );
  const [[id, texts] = []] = Object.entries(operations);
  const [[name, text] = []] = Object.entries(texts ?? {});
  expect(finding?.qualification?.quote).toBe(String(text).split(/(?<=\.) /u)[0]);
  expect(finding?.qualification?.pointer).toBe(
    `${contract.operations.find((operation) => operation.id === id)?.pointer ?? ''}/${name ?? ''}`,
  );
});

test.each([
  [
    'Lists tasks. Only administrators may call this.',
    'listTask',
    'GET /tasks > 200 []',
    'an item is missing',
  ],
  ['The first page has an index of pages.', 'listTask', 'GET /tasks > 200 []', 'an item is missing'],
])('words that do not speak of what is listed lower nothing: %s', (description, id, line, cause) => {
  expect(findAny([create, read, line], { operations: { [id]: { description } } })).toEqual([
    `violation ${id}: ${cause}`,
  ]);
});
