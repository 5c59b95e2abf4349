import { expect, test } from 'vitest';
import { findIn } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const jam = '{"id":8,"title":"jam","note":"one jar"}';
const second = `POST /tasks {"title":"jam","note":"one jar"} > 201 ${jam}`;
const foreign = '{"id":3,"title":"of others"}';

test('limit-ignored finds more items than were asked for', () => {
  expect(findIn(statefulChecks['limit-ignored'], [`GET /tasks?limit=1 > 200 [${tea},${jam}]`])).toEqual([
    'violation listTask: limit ignored',
  ]);
});

test('filter-ignored finds an item that does not equal the filter', () => {
  const lines = ['GET /tasks?state=done > 200 [{"id":3,"title":"of others","state":"open"}]'];
  expect(findIn(statefulChecks['filter-ignored'], lines)).toEqual(['violation listTask: state ignored']);
});

test('filter-ignored reads a filter that is JSON', () => {
  const lines = (title: string): readonly string[] => [
    `GET /tasks?title=%22${title}%22 > 200 [{"id":3,"title":"of others"}]`,
  ];
  const asJson = {
    name: 'title',
    in: 'query',
    content: { 'application/json': { schema: { type: 'string' } } },
  };
  const document = { operations: { listTask: { parameters: [asJson] } } };
  expect(findIn(statefulChecks['filter-ignored'], lines('of%20others'), document)).toEqual([]);
  expect(findIn(statefulChecks['filter-ignored'], lines('tea'), document)).toEqual([
    'violation listTask: title ignored',
  ]);
});

test('filter-ignored warns of an item without a state that stands in lists by two of them', () => {
  const made = 'POST /tasks {"title":"tea"} > 201 {"id":7,"title":"tea"}';
  const by = (state: string): string => `GET /tasks?state=${state} > 200 [{"id":7,"title":"tea"}]`;
  expect(findIn(statefulChecks['filter-ignored'], [made, by('open'), by('done')])).toEqual([
    'warning listTask: state missing',
  ]);
  // It may be what the one state is called.
  expect(findIn(statefulChecks['filter-ignored'], [made, by('open'), by('open')])).toEqual([]);
  // A list may leave out what it likes.
  const open = 'POST /tasks {"title":"tea","state":"open"} > 201 {"id":7,"title":"tea"}';
  expect(findIn(statefulChecks['filter-ignored'], [open, by('open'), by('done')])).toEqual([]);
});

const ids = {
  operations: {
    listTask: {
      parameters: ['state', 'title', 'sort'].map((name) => ({
        name,
        in: 'query',
        schema: { type: 'string' },
      })),
      responses: {
        '200': {
          description: 'Their ids.',
          content: { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } },
        },
      },
    },
  },
};

test('a list of ids is judged by what reads before and after it show', () => {
  const read = (state: string): string => `GET /tasks/7 > 200 {"id":7,"title":"tea","state":"${state}"}`;
  const made = 'POST /tasks {"title":"tea","state":"open"} > 201 {"id":7,"title":"tea","state":"open"}';
  const by = (query: string): string => `GET /tasks?${query} > 200 [7]`;
  const found = (...lines: readonly string[]) =>
    findIn(statefulChecks['filter-ignored'], [made, ...lines], ids);
  expect(found(read('open'), by('state=done'), read('open'))).toEqual(['violation listTask: state ignored']);
  expect(found(read('open'), by('title=jam'), read('open'))).toEqual(['violation listTask: title ignored']);
  expect(found(read('open'), by('state=open'), read('open'))).toEqual([]);
  // The state may have changed before or after the list.
  expect(found(read('open'), by('state=done'))).toEqual([]);
  expect(found(read('open'), by('state=done'), read('done'))).toEqual([]);
  const replaced = 'PUT /tasks/7 {"title":"tea","state":"done"} > 200 {"id":7,"title":"tea","state":"done"}';
  expect(found(read('open'), replaced, by('state=done'), read('done'))).toEqual([]);
});

test('a list of ids is in the order of what reads showed', () => {
  const reads = [`GET /tasks/7 > 200 ${tea}`, `GET /tasks/8 > 200 ${jam}`];
  const sorted = (list: string, ...lines: readonly string[]) =>
    findIn(
      statefulChecks['sort-ignored'],
      [create, second, ...reads, ...lines, `GET /tasks?sort=title > 200 ${list}`],
      ids,
    );
  expect(sorted('[7,8]')).toEqual(['violation listTask: sort ignored']);
  expect(sorted('[8,7]')).toEqual([]);
  expect(sorted('[7,8]', 'PUT /tasks/7 {"title":"ale"} > 200')).toEqual([]);
});

test('list-repeats finds an item that stands twice on a page', () => {
  expect(
    findIn(statefulChecks['list-repeats'], [create, `GET /tasks > 200 [${tea},${foreign},${tea}]`]),
  ).toEqual(['violation listTask: an item twice']);
});

test('page-overlap finds an item on two pages, and page-gap one on none', () => {
  const first = `GET /tasks?limit=1 > 200 [${tea}]`;
  expect(
    findIn(statefulChecks['page-overlap'], [
      create,
      second,
      first,
      `GET /tasks?limit=1&offset=1 > 200 [${tea}]`,
    ]),
  ).toEqual(['violation listTask: an item on two pages']);
  const whole = `GET /tasks > 200 [${tea},${jam}]`;
  expect(
    findIn(statefulChecks['page-gap'], [
      create,
      second,
      whole,
      first,
      'GET /tasks?limit=1&offset=1 > 200 []',
    ]),
  ).toEqual(['violation listTask: an item is missing']);
});

test.each([
  ['a page that is capped', [`GET /tasks?limit=9 > 200 [${foreign}]`]],
  ['a limit of nothing', [`GET /tasks?limit=0 > 200 [${foreign}]`]],
  ['a filter of items that do not show the property', [`GET /tasks?state=done > 200 [${foreign}]`]],
  ['an empty filter', ['GET /tasks?state= > 200 [{"id":3,"title":"of others","state":"open"}]']],
  ['a row of others that stands twice', [create, `GET /tasks > 200 [${tea},${foreign},${foreign}]`]],
  ['ids that are alike', [create, `GET /tasks > 200 [${tea},{"id":77,"title":"of others"}]`]],
  [
    'one item that moved as others wrote',
    [
      create,
      `GET /tasks?limit=2 > 200 [${foreign},${tea}]`,
      `GET /tasks?limit=2&offset=2 > 200 [${tea},{"id":2,"title":"of others"}]`,
    ],
  ],
  [
    'pages between which an item came',
    [create, `GET /tasks?limit=1 > 200 [${tea}]`, second, `GET /tasks?limit=1&offset=1 > 200 [${tea}]`],
  ],
  [
    'pages between which an item went',
    [
      create,
      second,
      `GET /tasks > 200 [${tea},${jam}]`,
      `GET /tasks?limit=1 > 200 [${tea}]`,
      'DELETE /tasks/7 > 204',
      'GET /tasks?limit=1&offset=1 > 200 []',
    ],
  ],
  [
    'whole pages',
    [
      create,
      second,
      `GET /tasks?limit=1 > 200 [${tea}]`,
      `GET /tasks?limit=1&offset=1 > 200 [${jam}]`,
      'GET /tasks?limit=1&offset=2 > 200 []',
    ],
  ],
])('nothing is found in %s', (_what, lines) => {
  expect(Object.values(statefulChecks).flatMap((check) => findIn(check, lines))).toEqual([]);
});

test('a parameter of the view is no filter', () => {
  const parameters = [{ name: 'currency', in: 'query', schema: { type: 'string' } }];
  const document = { operations: { listTask: { parameters } }, properties: { currency: { type: 'string' } } };
  const lines = ['GET /tasks?currency=EUR > 200 [{"id":3,"title":"of others","currency":"USD"}]'];
  expect(findIn(statefulChecks['filter-ignored'], lines, document)).toEqual([]);
});

test('a parameter that is described as a search may find more', () => {
  const operations = {
    listTask: {
      parameters: [
        { name: 'state', in: 'query', schema: { type: 'string' }, description: 'A search for states.' },
      ],
    },
  };
  const lines = ['GET /tasks?state=done > 200 [{"id":3,"title":"of others","state":"open"}]'];
  expect(findIn(statefulChecks['filter-ignored'], lines, { operations })).toEqual([]);
});

test('a list by a count that items have too may leave out those that have another', () => {
  const integer = { type: 'integer' };
  const parameters = ['count', 'offset'].map((name) => ({ name, in: 'query', schema: integer }));
  const document = { operations: { listTask: { parameters } } };
  const lines = [create, 'GET /tasks?count=3 > 200 []'];
  expect(findIn(statefulChecks['list-lacks'], lines, document)).toEqual([
    'violation listTask: an item is missing',
  ]);
  expect(
    findIn(statefulChecks['list-lacks'], lines, { ...document, properties: { count: integer } }),
  ).toEqual([]);
});

const searched = {
  operations: { listTask: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] } },
};
const both = [create, `GET /tasks/7 > 200 ${tea}`, second, `GET /tasks/8 > 200 ${jam}`];

test('filter-ignored finds a search that shows an item with nothing of the text', () => {
  const find = (body: string): readonly string[] =>
    findIn(statefulChecks['filter-ignored'], [...both, `GET /tasks?q=two%20cups > 200 ${body}`], searched);
  expect(find(`[${tea},${jam}]`)).toEqual(['violation listTask: q ignored']);
  expect(find(`[${tea}]`)).toEqual([]);
});

test('list-lacks finds a filtered list without an item that has the value', () => {
  const open = 'POST /tasks {"title":"tea","state":"open"} > 201 {"id":7,"title":"tea","state":"open"}';
  const find = (state: string): readonly string[] =>
    findIn(statefulChecks['list-lacks'], [open, `GET /tasks?state=${state} > 200 []`]);
  expect(find('open')).toEqual(['violation listTask: an item is missing']);
  expect(find('done')).toEqual([]);
});

test('list-lacks finds a search by a name without the item of that name', () => {
  const find = (text: string): readonly string[] =>
    findIn(statefulChecks['list-lacks'], [create, `GET /tasks?q=${text} > 200 []`], searched);
  expect(find('tea')).toEqual(['violation listTask: an item is missing']);
  expect(find('cups')).toEqual([]);
});

const counted = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
    total: { type: 'integer' },
  },
};
const inEnvelope = { '200': { description: 'Tasks.', content: { 'application/json': { schema: counted } } } };
const withTotals = {
  operations: { listTask: { responses: inEnvelope }, listProjectTask: { responses: inEnvelope } },
};

/** The pages of a list that shows some items and gives a total. */
const walk = (path: string, items: string, total: number): readonly string[] => [
  `GET ${path}?limit=2 > 200 {"items":[${items}],"total":${total}}`,
  `GET ${path}?limit=2&offset=${items.split('},{').length} > 200 {"items":[],"total":${total}}`,
];
const findTotals = (...lines: readonly string[]): readonly string[] =>
  findIn(statefulChecks['list-total'], lines, withTotals);

test('list-total finds a total below the number of items, and warns of a higher one', () => {
  expect(findTotals(create, ...walk('/tasks', tea, 1))).toEqual([]);
  expect(findTotals(create, ...walk('/tasks', tea, 0))).toEqual(['violation listTask: too low']);
  expect(findTotals(create, ...walk('/tasks', tea, 2))).toEqual([
    'warning listTask: too high, or an estimate',
  ]);
});

test('list-total finds a higher total below an own item, and none where others have items too', () => {
  const project = 'POST /projects {"title":"a"} > 201 {"id":1,"title":"a"}';
  const below = `POST /projects/1/tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
  expect(findTotals(project, below, ...walk('/projects/1/tasks', tea, 2))).toEqual([
    'violation listProjectTask: too high',
  ]);
  expect(findTotals(create, ...walk('/tasks', `${tea},${foreign}`, 3))).toEqual([]);
});

test('list-repeats finds a copy of an item below an item of this trace', () => {
  const project = 'POST /projects {"title":"big"} > 201 {"id":1,"title":"big"}';
  const create = 'POST /projects/1/tasks {"title":"green tea"} > 201 {"id":7,"title":"green tea"}';
  const list = (title: string): string =>
    `GET /projects/1/tasks?limit=5 > 200 [{"id":7,"title":"green tea"},{"id":8,"title":"${title}"}]`;
  const find = (...lines: readonly string[]): readonly string[] =>
    findIn(statefulChecks['list-repeats'], lines);
  expect(find(project, create, list('green tea'))).toEqual(['violation listProjectTask: a copy of an item']);
  expect(find(project, create, list('welcome'))).toEqual([]);
  expect(
    find(project, create, 'POST /projects/1/tasks {"title":"green tea"} > none', list('green tea')),
  ).toEqual([]);
  // Others may have items in a collection that this client did not create.
  expect(find(create, list('green tea'))).toEqual([]);
});
