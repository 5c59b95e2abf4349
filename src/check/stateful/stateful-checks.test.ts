import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { createPolicy } from '../../policy/policy.ts';
import { findAny, findIn, lifeCycleTrace, taskContract } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';
import { pageAfter } from './pagination.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const other = 'POST /tasks {"title":"jam","note":"one jar"} > 201 {"id":8,"title":"jam","note":"one jar"}';
const read = `GET /tasks/7 > 200 ${tea}`;
const notFound = 'GET /tasks/7 > 404';

test('finds a replace that nothing was kept of, and shows it by create, replace and read', () => {
  const lines = [
    create,
    other,
    'PUT /tasks/7 {"title":"rum","note":"a keg"} > 200',
    'GET /tasks > 200 []',
    read,
  ];
  const contract = taskContract();
  const trace = lifeCycleTrace(contract, lines);
  const [found] = statefulChecks['read-after-write'].judgeTrace(trace, createCheckContext(contract));
  expect(found).toMatchObject({ operation: 'replaceTask', level: 'violation', cause: 'nothing kept' });
  expect(found?.shownBy).toEqual([trace[0], trace[2], trace[4]]);
});

test.each([
  [
    'a property that a create loses',
    [create, 'GET /tasks/7 > 200 {"id":7,"title":"tea"}'],
    'createTask: note missing',
  ],
  [
    'a text that is trimmed',
    [
      'POST /tasks {"title":" tea "} > 201 {"id":7,"title":"tea"}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea"}',
    ],
    'createTask: title trimmed',
  ],
  [
    'a number that is rounded',
    [
      'POST /tasks {"title":"tea","effort":1.25} > 201 {"id":7}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","effort":1}',
    ],
    'createTask: effort rounded',
  ],
  [
    'an update that is not kept',
    [create, read, 'PATCH /tasks/7 {"note":"a pot"} > 200', read],
    'updateTask: note as it was before',
  ],
  [
    'a list that lags behind a read',
    [
      create,
      'PUT /tasks/7 {"title":"rum","note":"two cups"} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
      `GET /tasks > 200 [${tea}]`,
    ],
    'listTask: title as it was before',
  ],
  [
    'a refused replace that changes',
    [
      create,
      'PUT /tasks/7 {"title":"rum"} > 409',
      'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
    ],
    'replaceTask: title of a refused request',
  ],
  [
    'a refused delete that deletes',
    [create, read, 'DELETE /tasks/7 > 409', notFound],
    'deleteTask: gone after a refused delete',
  ],
  [
    'an item that is gone after its replace',
    [create, read, `PUT /tasks/7 {"title":"tea"} > 200`, notFound],
    'replaceTask: item not found',
  ],
])('read-after-write finds %s', (_what, lines, found) => {
  expect(findIn(statefulChecks['read-after-write'], lines)).toEqual([`violation ${found}`]);
});

test.each([
  [
    'equal numbers and times',
    [
      'POST /tasks {"title":"tea","effort":1.0,"due":"2026-01-01T10:00:00+01:00"} > 201 {"id":7}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","effort":1,"due":"2026-01-01T09:00:00.000Z"}',
    ],
  ],
  [
    'an empty value that is left out',
    [
      'POST /tasks {"title":"tea","note":"","tags":[]} > 201 {"id":7}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea"}',
    ],
  ],
  [
    'what the service adds',
    [create, 'GET /tasks/7 > 200 {"id":7,"title":"tea","note":"two cups","createdAt":"2026-01-01","more":1}'],
  ],
  [
    'properties that travel one way',
    [
      'POST /tasks {"title":"tea","id":3,"createdAt":"now","secret":"x"} > 201 {"id":7}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","createdAt":"2026-01-01"}',
    ],
  ],
  [
    'a state that moved on',
    [
      'POST /tasks {"title":"tea","state":"open"} > 201 {"id":7,"title":"tea","state":"open"}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","state":"late"}',
    ],
  ],
  [
    'a write that nobody answered',
    [create, 'PUT /tasks/7 {"title":"rum"} > none', 'GET /tasks/7 > 200 {"id":7,"title":"rum"}', read],
  ],
  ['a replace that is only accepted', [create, 'PUT /tasks/7 {"title":"rum"} > 202', read]],
  ['an error of the service', [create, 'DELETE /tasks/7 > 500', notFound]],
  [
    'a client that sees other things',
    [
      `POST /tasks {"title":"tea"} [Authorization: Bearer a] > 201 {"id":7}`,
      'GET /tasks/7 [Authorization: Bearer b] > 404',
    ],
  ],
  [
    'a cache on the way',
    [create, 'PUT /tasks/7 {"title":"rum"} > 200', `GET /tasks/7 > 200 [Age: 30] ${tea}`],
  ],
  [
    'what others wrote of an item that is not of this trace',
    ['PUT /tasks/3 {"title":"rum"} > 200', 'GET /tasks/3 > 200 {"id":3,"title":"gin"}'],
  ],
  ['a list that shows less of its items', [create, `GET /tasks > 200 [{"id":7,"title":"tea"}]`]],
])('nothing is found in %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});

test.each([
  [
    'a change of the id',
    { properties: { id: { type: 'integer' } } },
    [create, read, 'PUT /tasks/7 {"id":9,"title":"tea"} > 200', notFound],
  ],
  [
    'a list that was told to be cut',
    { known: { policy: createPolicy({ 'list-default-limit': 1 }) } },
    [
      create,
      read,
      'GET /projects > 200 [{"id":3,"title":"of others"}]',
      'POST /projects {"title":"a"} > 201 {"id":4,"title":"a"}',
      'GET /projects > 200 [{"id":3,"title":"of others"}]',
    ],
  ],
])('nothing is found in %s', (_what, document, lines) => {
  expect(findAny(lines, document)).toEqual([]);
});

test('one replace that keeps nothing is one finding, also of what it left out', () => {
  expect(findAny([create, 'PUT /tasks/7 {"title":"rum"} > 200', read])).toEqual([
    'violation replaceTask: title as it was before',
  ]);
  expect(findAny([create, 'PATCH /tasks/7 {"title":"rum"} > 200', notFound])).toEqual([
    'violation createTask: not found',
  ]);
});

test('one create that keeps nothing is one finding, whatever is asked after it', () => {
  expect(findAny([create, 'GET /tasks > 200 []', notFound])).toEqual(['violation createTask: not found']);
});

test('what a document says of its values is no fault', () => {
  const trimmed = [
    'POST /tasks {"title":" tea "} > 201 {"id":7}',
    'GET /tasks/7 > 200 {"id":7,"title":"tea"}',
  ];
  const properties = { title: { type: 'string', description: 'Trimmed.' } };
  expect(findAny(trimmed, { properties })).toEqual([]);
});

const accepted = 'POST /tasks {"title":"tea"} > 202 {"id":7}';

test('created-not-found finds an item that is not there, by its id or its Location', () => {
  expect(findIn(statefulChecks['created-not-found'], [create, notFound])).toEqual([
    'violation createTask: not found',
  ]);
  const located = ['POST /tasks {"title":"tea"} > 201 [Location: /api/tasks/7]', notFound];
  expect(findIn(statefulChecks['created-not-found'], located)).toEqual(['violation createTask: not found']);
});

test.each([
  ['is asked for by a HEAD that there is not', [create, 'HEAD /tasks/7 > 404']],
  ['was only accepted', [accepted, notFound]],
  [
    'was only accepted, and replaced before a read',
    [accepted, 'PUT /tasks/7 {"title":"rum"} > 200', notFound],
  ],
  ['was deleted', [create, 'DELETE /tasks/7 > 204', notFound]],
  ['may have been deleted', [create, 'DELETE /tasks/7 > 503', notFound]],
  [
    'stood below what was deleted',
    [
      'POST /projects {"title":"a"} > 201 {"id":1}',
      'POST /projects/1/tasks {"title":"tea"} > 201 {"id":7}',
      'DELETE /projects/1 > 204',
      'GET /projects/1/tasks/7 > 404',
    ],
  ],
  ['nobody knows the id of', ['POST /tasks {"title":"tea"} > 200', notFound]],
])('created-not-found finds nothing of an item that %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});

test('list-lacks finds an item that no page shows', () => {
  const first = 'GET /tasks?limit=1 > 200 [{"id":3,"title":"of others"}]';
  const pages = [first, 'GET /tasks?limit=1&offset=1 > 200 []'];
  const second = 'POST /tasks {"title":"cake"} > 201 {"id":8,"title":"cake"}';
  const saying = pages.map((page) => `${page} [X-Total-Count: 3]`);
  expect(findIn(statefulChecks['list-lacks'], [create, second, read, ...saying])).toEqual([
    'violation listTask: an item is missing',
  ]);
  // What others delete shifts the pages, and the total with them.
  expect(findIn(statefulChecks['list-lacks'], [create, second, read, ...pages])).toEqual([]);
  expect(findIn(statefulChecks['list-lacks'], [create, read, ...pages])).toEqual([]);
  expect(findIn(statefulChecks['list-lacks'], [create, read, 'GET /tasks > 200 []'])).toEqual([
    'violation listTask: an item is missing',
  ]);
});

test('who walks a list asks for one page after the other, until there is none', () => {
  const contract = taskContract();
  const pages = lifeCycleTrace(contract, [
    `GET /tasks?limit=1 > 200 [${tea}]`,
    'GET /tasks?limit=1&offset=1 > 200 []',
  ]);
  const [{ operation } = {}] = pages;
  if (operation === undefined) throw new Error('The list was not found.');
  expect(pageAfter(operation, pages.slice(0, 1))).toEqual({
    kind: 'next',
    target: '/tasks?limit=1&offset=1',
  });
  expect(pageAfter(operation, pages)).toEqual({ kind: 'end' });
});

test.each([
  ['whose end was not seen', [create, read, 'GET /tasks?limit=1 > 200 [{"id":3,"title":"of others"}]']],
  ['that is filtered', [create, read, 'GET /tasks?state=done > 200 []']],
  [
    'during which something changed',
    [
      create,
      read,
      'GET /tasks?limit=1 > 200 [{"id":3,"title":"of others"}]',
      'DELETE /tasks/3 > 204',
      'GET /tasks?limit=1&offset=1 > 200 []',
    ],
  ],
  [
    'that capped its pages',
    [
      create,
      read,
      'GET /tasks?limit=9 > 200 [{"id":3,"title":"of others"}]',
      `GET /tasks?limit=9&offset=1 > 200 [${tea}]`,
      'GET /tasks?limit=9&offset=2 > 200 []',
    ],
  ],
  [
    'of another parent',
    [
      'POST /projects {"title":"a"} > 201 {"id":1}',
      'POST /projects/1/tasks {"title":"tea"} > 201 {"id":7}',
      'GET /projects/2/tasks > 200 []',
    ],
  ],
])('list-lacks finds nothing in a list %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});

test('deleted-still-there finds what is read or listed after its delete', () => {
  const deleted = [create, read, 'DELETE /tasks/7 > 204'];
  expect(findIn(statefulChecks['deleted-still-there'], [...deleted, read])).toEqual([
    'violation deleteTask: read',
  ]);
  expect(findIn(statefulChecks['deleted-still-there'], [...deleted, `GET /tasks > 200 [${tea}]`])).toEqual([
    'violation deleteTask: listed',
  ]);
});

test('deleted-still-there finds an item that was created with 202, once a read has shown it', () => {
  const deleted = [accepted, notFound, read, 'DELETE /tasks/7 > 204'];
  expect(findIn(statefulChecks['deleted-still-there'], [...deleted, read])).toEqual([
    'violation deleteTask: read',
  ]);
  // Another item may have the id now.
  expect(findAny([...deleted, 'GET /tasks/7 > 200 {"id":7,"title":"jam"}'])).toEqual([]);
});

test.each([
  [
    'an item that says so of itself',
    {},
    [
      create,
      read,
      'DELETE /tasks/7 > 204',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","note":"two cups","state":"done"}',
    ],
  ],
  ['410', {}, [create, 'DELETE /tasks/7 > 204', 'GET /tasks/7 > 410']],
  ['202', {}, [create, 'DELETE /tasks/7 > 202', read]],
  [
    'an item that was only accepted, and deleted before a read',
    {},
    [accepted, 'DELETE /tasks/7 > 204', read],
  ],
  [
    'an id that another item got',
    {},
    [create, 'DELETE /tasks/7 > 204', 'GET /tasks/7 > 200 {"id":7,"title":"jam"}'],
  ],
  ['an item that was made again', {}, [create, 'DELETE /tasks/7 > 204', create, read]],
  [
    'an item that another request may have made again',
    { known: { mayBeMadeAgain: () => true } },
    [create, read, 'DELETE /tasks/7 > 204', read],
  ],
])('deleted-still-there finds nothing in %s', (_what, document, lines) => {
  expect(findAny(lines, document)).toEqual([]);
});

test('replace-is-partial finds what a replace left out and is still there', () => {
  const lines = [
    create,
    'PUT /tasks/7 {"title":"rum"} > 200',
    'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
  ];
  expect(findIn(statefulChecks['replace-is-partial'], lines)).toEqual([
    'violation replaceTask: note still there',
  ]);
});

test.each([
  ['a default', { properties: { note: { type: 'string', default: 'two cups' } } }, []],
  ['a replace after which it was given again', {}, ['PATCH /tasks/7 {"note":"two cups"} > 200']],
])('replace-is-partial finds nothing in %s', (_what, document, between) => {
  const lines = [
    create,
    'PUT /tasks/7 {"title":"rum"} > 200',
    ...between,
    'GET /tasks/7 > 200 {"id":7,"title":"rum","note":"two cups"}',
  ];
  expect(findAny(lines, document)).toEqual([]);
});

test('merge-patch finds a sibling that is lost, and null that removes nothing, by the notation', () => {
  const lost = (type: string): readonly string[] => [
    create,
    read,
    `PATCH /tasks/7 {"title":"rum"} [Content-Type: ${type}] > 200`,
    'GET /tasks/7 > 200 {"id":7,"title":"rum"}',
  ];
  expect(findIn(statefulChecks['merge-patch'], lost('application/merge-patch+json'))).toEqual([
    'violation updateTask: note lost',
  ]);
  expect(findIn(statefulChecks['merge-patch'], lost('application/json'))).toEqual([
    'warning updateTask: note lost',
  ]);
  const kept = [
    create,
    'PATCH /tasks/7 {"note":null} [Content-Type: application/merge-patch+json] > 200',
    read,
  ];
  expect(findIn(statefulChecks['merge-patch'], kept)).toEqual(['violation updateTask: note not removed']);
});

test.each([
  [
    'null that is shown',
    [
      create,
      read,
      'PATCH /tasks/7 {"note":null} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","note":null}',
    ],
  ],
  [
    'a replace in between',
    [
      create,
      read,
      'PATCH /tasks/7 {"title":"rum"} > 200',
      'PUT /tasks/7 {"title":"gin"} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"gin"}',
    ],
  ],
])('merge-patch finds nothing in %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});

test('spill finds an item that shows what another got, or that goes with another', () => {
  const shown = 'GET /tasks/7 > 200 {"id":7,"title":"gin","note":"two cups"}';
  expect(
    findIn(statefulChecks.spill, [create, other, read, 'PUT /tasks/8 {"title":"gin"} > 200', shown]),
  ).toEqual(['violation replaceTask: title of another item']);
  expect(findIn(statefulChecks.spill, [create, other, read, 'DELETE /tasks/8 > 204', notFound])).toEqual([
    'violation deleteTask: another item gone',
  ]);
});

test.each([
  [
    'a delete of what it refers to',
    [
      'POST /tasks {"title":"tea","note":"of 8"} > 201 {"id":7}',
      other,
      'GET /tasks/7 > 200 {"id":7,"title":"tea","note":"of 8"}',
      'DELETE /tasks/8 > 204',
      notFound,
    ],
  ],
  [
    'a state that others take on',
    [
      'POST /tasks {"title":"tea","state":"open"} > 201 {"id":7}',
      other,
      'GET /tasks/7 > 200 {"id":7,"title":"tea","state":"open"}',
      'PATCH /tasks/8 {"state":"done"} > 200',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","state":"done"}',
    ],
  ],
])('spill finds nothing in %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});

test('safe-method-changes finds an item that reading takes away, or changes', () => {
  expect(findIn(statefulChecks['safe-method-changes'], [create, read, notFound])).toEqual([
    'violation getTask: gone by reading',
  ]);
  const counted = [
    'POST /tasks {"title":"tea","effort":1} > 201 {"id":7}',
    'GET /tasks/7 > 200 {"id":7,"title":"tea","effort":1}',
    'GET /tasks/7 > 200 {"id":7,"title":"tea","effort":2}',
  ];
  expect(findIn(statefulChecks['safe-method-changes'], counted)).toEqual([
    'violation getTask: effort changed by reading',
  ]);
});

test.each([
  [
    'what the service counts',
    [create, read, 'GET /tasks/7 > 200 {"id":7,"title":"tea","note":"two cups","createdAt":"later"}'],
  ],
  ['an operation that nobody understands', [create, read, 'POST /reset > 200', notFound]],
])('safe-method-changes finds nothing in %s', (_what, lines) => {
  expect(findAny(lines)).toEqual([]);
});
