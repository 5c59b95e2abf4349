import { expect, test } from 'vitest';
import { findAny, findIn, type TaskDocument } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const projects = [
  'POST /projects {"title":"one"} > 201 {"id":1,"title":"one"}',
  'POST /projects {"title":"two"} > 201 {"id":2,"title":"two"}',
];
/** Tasks with a text as their id. */
const named: TaskDocument = {
  properties: { id: { type: 'string', readOnly: true } },
  operations: Object.fromEntries(
    ['getTask', 'replaceTask'].map((id) => [
      id,
      { parameters: [{ name: 'taskId', in: 'path', required: true, schema: { type: 'string' } }] },
    ]),
  ),
};
const below = `POST /projects/1/tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;

test('warns of a 201 that leads nowhere, whatever it shows, and says nothing of a 200', () => {
  const bare = `POST /tasks {"title":"tea","note":"two cups"} > 201 [Location: none] ${tea}`;
  expect(findIn(statefulChecks.location, [bare])).toEqual(['warning createTask: missing']);
  expect(findIn(statefulChecks.location, [bare.replace('201', '200')])).toEqual([]);
});

test.each([
  [
    'that names another item',
    ['POST /tasks {"title":"tea"} > 201 [Location: /tasks/8] {"id":7,"title":"tea"}'],
    'violation createTask: another item',
  ],
  [
    'that names the collection',
    ['POST /tasks {"title":"tea"} > 201 [Location: /v1/tasks] {"id":7,"title":"tea"}'],
    'violation createTask: no item',
  ],
  [
    'that leads nowhere',
    ['POST /tasks {"title":"tea"} > 201 [Location: /task/7] {"id":7,"title":"tea"}', 'GET /task/7 > 404'],
    'violation createTask: leads nowhere',
  ],
  [
    'that leads to the item only without the first part of its path',
    [
      'POST /tasks {"title":"tea"} > 201 [Location: /api/tasks/7] {"id":7,"title":"tea"}',
      'GET /api/tasks/7 > 404',
      'GET /tasks/7 > 200 {"id":7,"title":"tea"}',
    ],
    'warning createTask: below another base',
  ],
  [
    'that is missing, with no id either',
    ['POST /tasks {"title":"tea"} > 201'],
    'warning createTask: missing',
  ],
])('location finds one %s', (_what, lines, found) => {
  expect(findIn(statefulChecks.location, lines)).toEqual([found]);
});

test('location finds nothing in one that leads nowhere as its document has it', () => {
  const lines = ['POST /tasks {"title":"tea"} > 201 [Location: /task/7]', 'GET /task/7 > 404'];
  const withLocation = (pattern: string): TaskDocument => {
    const headers = { Location: { schema: { type: 'string', pattern } } };
    const responses = { '201': { description: 'It is made.', headers } };
    return { operations: { createTask: { responses } } };
  };
  expect(findIn(statefulChecks.location, lines, withLocation('^/task/[0-9]+$'))).toEqual([]);
  expect(findIn(statefulChecks.location, lines, withLocation('^/tasks?/[0-9]+$'))).toEqual([
    'violation createTask: leads nowhere',
  ]);
});

test('parent-ignored finds an item below another parent, read or listed', () => {
  expect(
    findIn(statefulChecks['parent-ignored'], [...projects, below, `GET /projects/2/tasks/7 > 200 ${tea}`]),
  ).toEqual(['violation getProjectTask: read']);
  expect(
    findIn(statefulChecks['parent-ignored'], [...projects, below, `GET /projects/2/tasks > 200 [${tea}]`]),
  ).toEqual(['violation listProjectTask: listed']);
});

test('parent-ignored finds no item by a known value, which items of other parents have too', () => {
  const values = ['title', 'note'].map((name) => ({ name, values: [['tea'], ['two cups']] }));
  const lines = [...projects, below, `GET /projects/2/tasks > 200 [${tea}]`];
  expect(findIn(statefulChecks['parent-ignored'], lines, { values })).toEqual([]);
  const unique = { values: values.slice(0, 1) };
  expect(findIn(statefulChecks['parent-ignored'], lines, unique)).toEqual([
    'violation listProjectTask: listed',
  ]);
});

test('parent-ignored warns of a create below what was deleted', () => {
  const deleted = [...projects, 'DELETE /projects/1 > 204', below];
  expect(findIn(statefulChecks['parent-ignored'], [...deleted, 'GET /projects/1 > 404'])).toEqual([
    'warning createProjectTask: a missing parent',
  ]);
  // Another project may have been given its id.
  expect(findIn(statefulChecks['parent-ignored'], deleted)).toEqual([]);
});

test('parent-ignored warns of a read below what was deleted, if the list shows nothing', () => {
  const gone = [...projects, below, 'DELETE /projects/1 > 204'];
  const read = `GET /projects/1/tasks/7 > 200 ${tea}`;
  const left = ['warning getProjectTask: left below a deleted parent'];
  expect(findIn(statefulChecks['parent-ignored'], [...gone, 'GET /projects/1/tasks > 200 []', read])).toEqual(
    left,
  );
  expect(findIn(statefulChecks['parent-ignored'], [...gone, 'GET /projects/1/tasks > 404', read])).toEqual(
    left,
  );
  // It outlives its parent.
  const listed = `GET /projects/1/tasks > 200 [${tea}]`;
  expect(findIn(statefulChecks['parent-ignored'], [...gone, listed, read])).toEqual([]);
  // It may have been deleted after the read.
  expect(findIn(statefulChecks['parent-ignored'], [...gone, read, 'GET /projects/1/tasks > 404'])).toEqual(
    [],
  );
});

test.each([
  [
    'an absolute Location below the path of a server',
    ['POST /tasks {"title":"tea"} > 201 [Location: https://api.example/v1/tasks/7] {"id":7,"title":"tea"}'],
  ],
  [
    'a Location in another case',
    ['POST /tasks {"title":"Tea"} > 201 [Location: /tasks/tea] {"id":7,"title":"Tea"}'],
  ],
  ['a relative Location', ['POST /tasks {"title":"tea"} > 201 [Location: tasks/7] {"id":7,"title":"tea"}']],
  [
    'an id that was freed',
    [create, 'DELETE /tasks/7 > 204', 'POST /tasks {"title":"jam"} > 201 {"id":7,"title":"jam"}'],
  ],
  [
    'a create that finds the item that there is',
    [create, 'POST /tasks {"title":"tea","note":"three"} > 201 {"id":7,"title":"tea","note":"three"}'],
  ],
  [
    'ids that each parent counts for itself',
    [...projects, below, 'GET /projects/2/tasks/7 > 200 {"id":7,"title":"jam"}'],
  ],
  [
    'a parent that nobody here made',
    [
      'POST /projects {"title":"one"} > 201 {"id":1,"title":"one"}',
      below,
      `GET /projects/9/tasks/7 > 200 ${tea}`,
    ],
  ],
  ['a parent that was made again', [...projects, 'DELETE /projects/1 > 204', ...projects, below]],
])('nothing is found in %s', (_what, lines) => {
  expect(Object.values(statefulChecks).flatMap((check) => findIn(check, lines))).toEqual([]);
});

test.each([
  ['accepts that another name gives the item another id', 'mate.', []],
  [
    'reports an item that is gone after another id without the name',
    'x9',
    ['violation createTask: not found'],
  ],
])('%s', (_what, id, found) => {
  const lines = [
    'POST /tasks {"title":"chai"} > 201 {"id":"1","title":"chai"}',
    `PUT /tasks/1 {"title":"mate"} > 200 {"id":"${id}","title":"mate"}`,
    'GET /tasks/1 > 404',
  ];
  expect(findAny(lines, named)).toEqual(found);
});

test('accepts another id of an item whose first id had its name', () => {
  const lines = [
    'POST /tasks {"title":"chai"} > 201 {"id":"chai.","title":"chai"}',
    'PUT /tasks/chai. {"title":"mÀte"} > 200 {"id":"m=C3te.","title":"mÀte"}',
    'GET /tasks/chai. > 404',
  ];
  expect(findAny(lines, named)).toEqual([]);
});
