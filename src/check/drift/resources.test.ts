import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { createRouter } from '../../contract/router.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { judgeExchange } from '../judge.ts';
import { checkResourceAnswers } from './resource-traces.ts';
import type { CheckContext, CheckedExchange } from '../classify/subject.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const refs = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const answered = (status: number, schema?: JsonObject): JsonObject => ({
  [status]: { description: 'Done.', ...(schema && json(schema)) },
  '400': { description: 'Refused.' },
  '404': { description: 'Not there.' },
});
const id = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** Shelves with books on them, and lamps in rooms. */
const contract = contractOf({
  paths: {
    '/shelves': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } }],
        responses: answered(200, { type: 'array', items: refs('Shelf') }),
      },
      post: { requestBody: json(refs('Shelf')), responses: answered(201, refs('Shelf')) },
    },
    '/racks': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 9 } }],
        responses: answered(200, { type: 'array', maxItems: 3, items: refs('Shelf') }),
      },
      post: { requestBody: json(refs('Shelf')), responses: answered(201, refs('Shelf')) },
    },
    '/racks/{rackId}': { parameters: [id('rackId')], get: { responses: answered(200, refs('Shelf')) } },
    '/sorted': {
      get: {
        parameters: [{ name: 'sort', in: 'query', schema: { type: 'string', default: 'newest' } }],
        responses: answered(200, { type: 'array', items: refs('Shelf') }),
      },
      post: { requestBody: json(refs('Shelf')), responses: answered(201, refs('Shelf')) },
    },
    '/rooms': {
      post: { requestBody: json(refs('Shelf')), responses: answered(201, refs('Shelf')) },
    },
    '/rooms/{roomId}': { parameters: [id('roomId')], get: { responses: answered(200, refs('Shelf')) } },
    '/lamps': {
      post: { requestBody: json(refs('Lamp')), responses: answered(201, refs('Lamp')) },
    },
    '/lamps/{lampId}': {
      parameters: [id('lampId')],
      get: { responses: answered(200, refs('Lamp')) },
      patch: { requestBody: json(refs('Lamp')), responses: answered(200, refs('Lamp')) },
    },
    '/shelves/{shelfId}': {
      parameters: [id('shelfId')],
      get: { responses: answered(200, refs('Shelf')) },
      delete: { responses: answered(204) },
    },
    '/shelves/{shelfId}/books': {
      parameters: [id('shelfId')],
      get: { responses: answered(200, { type: 'array', items: refs('Book') }) },
      post: { requestBody: json(refs('Book')), responses: answered(201, refs('Book')) },
    },
  },
  components: {
    schemas: {
      Lamp: {
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string' },
          roomId: { type: 'string' },
        },
      },
      Shelf: {
        type: 'object',
        required: ['name'],
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
      },
      Book: {
        type: 'object',
        required: ['title'],
        properties: { id: { type: 'string', readOnly: true }, title: { type: 'string' } },
      },
    },
  },
});
const route = createRouter(contract);
const utf8 = new TextEncoder();

interface Case {
  readonly request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly body?: JsonObject;
  readonly status: number;
  readonly answer?: JsonValue;
  readonly told?: Partial<Policy>;
}

/** A run that is told some answers, and no other. */
function contextOf(told: Partial<Policy>): CheckContext {
  return createCheckContext(contract, {
    policy: createPolicy(told),
    // `as`: the keys of answers are questions.
    enforced: new Set(Object.keys(told) as BehaviourId[]),
  });
}

function judge({ request, body, status, answer, told = {} }: Case): CheckedExchange {
  const [method = '', target = ''] = request.split(' ');
  const content = (value: JsonValue | undefined): Uint8Array =>
    utf8.encode(value === undefined ? '' : JSON.stringify(value));
  return judgeExchange({
    exchange: {
      request: {
        method,
        target,
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
        body: body && content(body),
      },
      answer: {
        kind: 'response',
        response: {
          status,
          headers: answer === undefined ? [] : [['Content-Type', 'application/json']],
          body: content(answer),
        },
      },
      durationMs: 1,
    },
    route: route(target.split('?', 1).join('')),
    framing: 'content-length',
    keyState: () => 'none',
    context: contextOf(told),
  });
}

/** What is found of one exchange: the check, its level, and the question that it is a matter of. */
function findingsOf(input: Case): readonly string[] {
  return judge(input).findings.map(
    ({ level, check, clause }) => `${level} ${check}${clause.kind === 'policy' ? ` ${clause.question}` : ''}`,
  );
}

test('that items with others below them are not deleted (409) is a matter of the policy, unless it says otherwise', () => {
  const request = 'DELETE /shelves/1';
  expect(findingsOf({ request, status: 409 })).toEqual(['note undeclared-status deleted-parent']);
  expect(findingsOf({ request, status: 409, told: { 'deleted-parent': 'refuse' } })).toEqual([
    'note undeclared-status deleted-parent',
  ]);
  expect(findingsOf({ request, status: 409, told: { 'deleted-parent': 'keep' } })).toContain(
    'violation undeclared-status',
  );
});

const shelf = { name: 'attic' };
const shelves = (...ids: readonly string[]): JsonValue => ids.map((each) => ({ id: each, ...shelf }));

test.each<[string, Case, Partial<Policy>]>([
  [
    'a read-only property is taken that is to be refused',
    { request: 'POST /shelves', body: { id: '7', ...shelf }, status: 201, answer: { id: '1', ...shelf } },
    { 'read-only-sent': 'refuse' },
  ],
  [
    'a read-only property is refused that is to be ignored',
    { request: 'POST /shelves', body: { id: 'cellar', ...shelf }, status: 400 },
    { 'read-only-sent': 'ignore' },
  ],
  [
    'a query parameter is taken that is to be refused',
    { request: 'GET /shelves?colour=red', status: 200, answer: [] },
    { 'unknown-query-parameter': 'refuse' },
  ],
  [
    'a query parameter is refused that is to be ignored',
    { request: 'GET /shelves?colour=red', status: 400 },
    { 'unknown-query-parameter': 'ignore' },
  ],
  [
    'a limit is refused that is to be brought down',
    { request: 'GET /shelves?limit=10', status: 400 },
    { 'limit-above-maximum': 'clamp' },
  ],
  [
    'a list shows more than its usual number of items',
    { request: 'GET /shelves', status: 200, answer: shelves('1', '2', '3') },
    { 'list-default-limit': 2 },
  ],
  [
    'a list is not in the order of ids',
    { request: 'GET /shelves', status: 200, answer: shelves('2', '1') },
    { 'list-order': 'key' },
  ],
])('it is drift where %s', (_name, exchange, told) => {
  const [question] = Object.keys(told);
  expect(findingsOf({ ...exchange, told })).toContain(`violation drift ${question}`);
  expect(findingsOf({ ...exchange, told: { echo: 'none' } }).join()).not.toContain('drift');
});

test('a list that is asked for a part of it has neither a usual number of items nor an order of its own', () => {
  const told = { 'list-default-limit': 1, 'list-order': 'key' } as const;
  const answer = shelves('2', '1');
  expect(findingsOf({ request: 'GET /shelves?limit=5', status: 200, answer, told })).toEqual([]);
});

/** What several exchanges show together, each given as those of a case. */
function driftOf(told: Partial<Policy>, ...exchanges: readonly Omit<Case, 'told'>[]): readonly string[] {
  const context = contextOf(told);
  return checkResourceAnswers(exchanges.map(judge), context).map(({ cause }) => cause);
}

const created = (shelfId: string): Omit<Case, 'told'> => ({
  request: 'POST /shelves',
  body: shelf,
  status: 201,
  answer: { id: shelfId, ...shelf },
});
const book = { title: 'Walden' };
const bookIn = (shelfId: string): Omit<Case, 'told'> => ({
  request: `POST /shelves/${shelfId}/books`,
  body: book,
  status: 201,
  answer: { id: 'b', ...book },
});

test('the order of a list shows by what was created in the same trace', () => {
  const ids = ['3', '1', '5', '2', '6', '4'];
  const list: Omit<Case, 'told'> = { request: 'GET /shelves', status: 200, answer: shelves('9', ...ids) };
  const trace = [...ids.map(created), list];
  expect(driftOf({ 'list-order': 'creation' }, ...trace)).toEqual([]);
  expect(driftOf({ 'list-order': 'any' }, ...trace)).toEqual([]);
  expect(driftOf({ 'list-order': 'key' }, ...trace)).toEqual(['list-order creation']);
  expect(driftOf({ 'list-order': 'newest-first' }, ...trace)).toEqual(['list-order creation']);
});

const list = (...ids: readonly string[]): Omit<Case, 'told'> => ({
  request: 'GET /shelves',
  status: 200,
  answer: shelves(...ids),
});
const readOf = (shelfId: string): Omit<Case, 'told'> => ({
  request: `GET /shelves/${shelfId}`,
  status: 200,
  answer: { id: shelfId, ...shelf },
});

test('a list may lack what was created where that is beyond its usual number of items', () => {
  const made = ['1', '2', '3', '4', '5', '6'].map(created);
  const cut = list('0', '1', '2');
  const trace = [...made, cut, created('7'), readOf('6'), cut];
  expect(driftOf({ 'list-default-limit': 3 }, ...trace)).toEqual([]);
  expect(driftOf({ 'list-default-limit': 'none' }, ...trace)).toEqual([
    'list-default-limit 3 of more items are shown',
  ]);
  // The document itself lets it show no more.
  const racks = trace.map((each): Omit<Case, 'told'> => {
    const [method = '', path = ''] = each.request.split(' ');
    // `as`: the same request of another collection.
    return { ...each, request: `${method} ${path.replace('/shelves', '/racks')}` as Case['request'] };
  });
  expect(driftOf({ 'list-default-limit': 'none' }, ...racks)).toEqual([]);
  const other = list('0');
  const others = [...made, other, created('7'), readOf('6'), other];
  expect(driftOf({ 'list-default-limit': 'none' }, ...others)).toEqual([]);
});

test('a list that lacks what shows up late, or what goes by itself, has no limit', () => {
  const told = { 'list-default-limit': 'none' } as const;
  const made = ['1', '2', '3', '4', '5', '6'].map(created);
  const growing = [...made, list('1', '2', '3'), created('7'), readOf('6'), list('1', '2', '3', '4')];
  expect(driftOf(told, ...growing)).toEqual([]);
  const gone = { request: 'GET /shelves/1', status: 404 } as const;
  const going = [...made, list('4', '5', '6'), created('7'), gone, readOf('6'), list('5', '6', '7')];
  expect(driftOf(told, ...going)).toEqual([]);
});

test('a list below an item that is not there is found missing only where one below another is there', () => {
  const told = { 'missing-parent': 'empty-list' } as const;
  const missing = { request: 'GET /shelves/9', status: 404 } as const;
  const below = { request: 'GET /shelves/9/books', status: 404 } as const;
  const control: Omit<Case, 'told'> = { request: 'GET /shelves/1/books', status: 200, answer: [] };
  expect(driftOf(told, created('1'), missing, below)).toEqual([]);
  expect(driftOf(told, created('1'), control, missing, below)).toEqual([
    'missing-parent the list is not found',
  ]);
});

test('an item that shows up late is not taken for one that was never there', () => {
  const late: Omit<Case, 'told'> = { request: 'GET /shelves/1', status: 404 };
  expect(driftOf({ 'missing-parent': 'not-found' }, created('1'), late, bookIn('1'))).toEqual([]);
  expect(driftOf({ 'missing-parent': 'not-found' }, created('2'), late, bookIn('1'))).toEqual([
    'missing-parent an item was created',
  ]);
});

test('what is deleted later (202) may be deleted again', () => {
  const request = 'DELETE /shelves/1';
  const told = { 'deleted-again': 'not-found' } as const;
  const accepted = { request, status: 202 } as const;
  const done = { request, status: 204 } as const;
  expect(driftOf(told, created('1'), accepted, done)).toEqual([]);
  expect(driftOf(told, created('1'), done, done)).toEqual(['deleted-again it was accepted again']);
});

test('what another request may have made again may be deleted again', () => {
  const told = { 'deleted-again': 'not-found' } as const;
  const done = { request: 'DELETE /shelves/1', status: 204 } as const;
  const trace = [created('1'), done, done].map(judge);
  const causesWhere = (mayBeMadeAgain: boolean): readonly string[] =>
    checkResourceAnswers(trace, { ...contextOf(told), mayBeMadeAgain: () => mayBeMadeAgain }).map(
      ({ cause }) => cause,
    );
  expect(causesWhere(false)).toEqual(['deleted-again it was accepted again']);
  expect(causesWhere(true)).toEqual([]);
});

test('a refusal to delete an item with others below it is of those only where one without is deleted', () => {
  const refused: Omit<Case, 'told'> = { request: 'DELETE /shelves/1', status: 409 };
  const control: Omit<Case, 'told'> = { request: 'DELETE /shelves/2', status: 204 };
  const told = { 'deleted-parent': 'cascade' } as const;
  expect(driftOf(told, created('1'), bookIn('1'), refused)).toEqual([]);
  expect(driftOf(told, created('2'), control, created('1'), bookIn('1'), refused)).toEqual([
    'deleted-parent it was refused',
  ]);
});

const lamp = { name: 'desk', roomId: '1' };
const lampOf = (lampId: string): Omit<Case, 'told'> => ({
  request: 'POST /lamps',
  body: lamp,
  status: 201,
  answer: { id: lampId, ...lamp },
});

test('a refused reference that leads nowhere may be refused for what must be unique, unless two items were equal', () => {
  const told = { 'dangling-reference': 'accept' } as const;
  const missing = { request: 'GET /rooms/9', status: 404 } as const;
  const refused: Omit<Case, 'told'> = {
    request: 'POST /lamps',
    body: { ...lamp, roomId: '9' },
    status: 409,
  };
  expect(driftOf(told, lampOf('1'), missing, refused)).toEqual([]);
  expect(driftOf(told, lampOf('1'), lampOf('2'), missing, refused)).toEqual(['dangling-reference refused']);
});

test('an update removes what was left out where that is gone, not where it is another than before', () => {
  const told = { 'patch-notation': 'merge' } as const;
  const read = (answer: JsonValue): Omit<Case, 'told'> => ({ request: 'GET /lamps/1', status: 200, answer });
  const update: Omit<Case, 'told'> = {
    request: 'PATCH /lamps/1',
    body: { name: 'desk' },
    status: 200,
    answer: { name: 'desk' },
  };
  const before = [lampOf('1'), read({ id: '1', ...lamp }), update];
  expect(driftOf(told, ...before, read({ id: '1', name: 'desk', roomId: '2' }))).toEqual([]);
  expect(driftOf(told, ...before, read({ id: '1', name: 'desk' }))).toEqual([
    'patch-notation what was left out is gone',
  ]);
});

test('an order that the document gives itself by the default of a parameter is not held to that of the policy', () => {
  const list: Omit<Case, 'told'> = { request: 'GET /sorted', status: 200, answer: shelves('2', '1') };
  expect(findingsOf({ ...list, told: { 'list-order': 'key' } }).join()).not.toContain('drift');
});
