import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findIn, lifeCycleTrace, taskContract } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

/** The levels and causes of what read-after-write finds in a trace. */
function findLevels(lines: readonly string[]): readonly string[] {
  const contract = taskContract();
  const trace = lifeCycleTrace(contract, lines);
  return statefulChecks['read-after-write']
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
  expect(findIn(statefulChecks.spill, lines)).toEqual([]);
  const kept = `GET /tasks/7 > 200 ${note(7, 'high')}`;
  const spilt = [
    ...lines.slice(0, 3),
    kept,
    'PUT /tasks/8 {"title":"tea","note":"new"} > 200',
    `GET /tasks/7 > 200 ${note(7, 'new')}`,
  ];
  expect(findIn(statefulChecks.spill, spilt)).toEqual(['violation replaceTask: note of another item']);
});

const place = {
  type: 'object',
  properties: { city: { type: 'string' }, street: { type: ['string', 'null'] } },
};
const document = { properties: { place } };
const merge = '[Content-Type: application/merge-patch+json]';
const whole = '"place":{"city":"Ulm","street":"Main"}';
const show = (more: string): string => `{"id":7,"title":"tea",${more}}`;
const create = `POST /tasks {"title":"tea",${whole}} > 201 ${show(whole)}`;
const read = (more: string): string => `GET /tasks/7 > 200 ${show(more)}`;

test('replace-is-partial finds what a replace left out of an object', () => {
  const replace = 'PUT /tasks/7 {"title":"tea","place":{"city":"Bonn"}} > 200';
  expect(
    findIn(
      statefulChecks['replace-is-partial'],
      [create, replace, read('"place":{"city":"Bonn","street":"Main"}')],
      document,
    ),
  ).toEqual(['violation replaceTask: place/street still there']);
});

test('replace-is-partial finds nothing in a part that answers require, and a replace may leave out', () => {
  const written = { type: 'object', properties: { place, title: { type: 'string' } } };
  const replaceTask = { requestBody: { content: { 'application/json': { schema: written } } } };
  const lines = [
    create,
    'PUT /tasks/7 {"title":"tea","place":{"city":"Bonn"}} > 200',
    read('"place":{"city":"Bonn","street":"Main"}'),
  ];
  const required = { place: { ...place, required: ['street'] } };
  const loose = { operations: { replaceTask }, properties: { place } };
  expect(findIn(statefulChecks['replace-is-partial'], lines, loose)).toHaveLength(1);
  expect(findIn(statefulChecks['replace-is-partial'], lines, { ...loose, properties: required })).toEqual([]);
});

test('merge-patch finds an object of which a patch with a part took the rest', () => {
  const patch = `PATCH /tasks/7 {"place":{"city":"Bonn"}} ${merge} > 200`;
  expect(
    findIn(
      statefulChecks['merge-patch'],
      [create, read(whole), patch, read('"place":{"city":"Bonn"}')],
      document,
    ),
  ).toEqual(['violation updateTask: place/street lost']);
});

test('merge-patch finds an object that is gone with a part of it', () => {
  const patch = `PATCH /tasks/7 {"place":{"street":null}} ${merge} > 200`;
  expect(
    findIn(
      statefulChecks['merge-patch'],
      [create, read(whole), patch, 'GET /tasks/7 > 200 {"id":7,"title":"tea"}'],
      document,
    ),
  ).toEqual(['violation updateTask: place lost']);
});

test('merge-patch finds an array that was added to the one before', () => {
  const made = 'POST /tasks {"title":"tea","tags":["a"]} > 201 {"id":7,"title":"tea","tags":["a"]}';
  const patch = `PATCH /tasks/7 {"tags":["b"]} ${merge} > 200`;
  expect(findIn(statefulChecks['merge-patch'], [made, patch, read('"tags":["a","b"]')])).toEqual([
    'violation updateTask: tags changed',
  ]);
});

test.each([
  [
    'a replace of an object that takes all of it',
    ['PUT /tasks/7 {"title":"tea","place":{"city":"Bonn"}} > 200', read('"place":{"city":"Bonn"}')],
  ],
  [
    'a merge patch that changes a part',
    [
      `PATCH /tasks/7 {"place":{"city":"Bonn"}} ${merge} > 200`,
      read('"place":{"city":"Bonn","street":"Main"}'),
    ],
  ],
  [
    'a merge patch that removes a part',
    [`PATCH /tasks/7 {"place":{"street":null}} ${merge} > 200`, read('"place":{"city":"Ulm"}')],
  ],
])('nothing is found in %s', (_what, lines) => {
  expect(
    Object.values(statefulChecks).flatMap((check) =>
      findIn(check, [create, read(whole), ...lines], document),
    ),
  ).toEqual([]);
});

test('finds null that became an empty text, and a value that null did not replace', () => {
  const made = 'POST /tasks {"title":"tea","note":"two"} > 201 {"id":7,"title":"tea","note":"two"}';
  const replace = 'PUT /tasks/7 {"title":"tea","note":null} > 200';
  const find = (...lines: readonly string[]): readonly string[] =>
    findIn(statefulChecks['read-after-write'], [made, ...lines]);
  expect(find(replace, read('"note":""'))).toEqual(['violation replaceTask: note as an empty text']);
  expect(find(replace, read('"note":"two"'))).toEqual(['violation replaceTask: note as it was before']);
  // A service may give it a value of its own.
  expect(find(replace, read('"note":"none"'))).toEqual([]);
  expect(find(replace, 'GET /tasks/7 > 200 {"id":7,"title":"tea"}')).toEqual([]);
});
