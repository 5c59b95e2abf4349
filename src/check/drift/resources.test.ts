import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { createRouter } from '../../contract/router.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { judgeExchange } from '../judge.ts';
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

test('an order that the document gives itself by the default of a parameter is not held to that of the policy', () => {
  const list: Omit<Case, 'told'> = { request: 'GET /sorted', status: 200, answer: shelves('2', '1') };
  expect(findingsOf({ ...list, told: { 'list-order': 'key' } }).join()).not.toContain('drift');
});
