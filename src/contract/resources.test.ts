import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import type { OperationKind } from './contract.ts';

const schemas: JsonObject = {
  Task: {
    type: 'object',
    required: ['title'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      done: { type: 'boolean' },
    },
  },
  Profile: {
    type: 'object',
    required: ['handle'],
    properties: { handle: { type: 'string' }, city: { type: 'string' } },
  },
};
const task = { $ref: '#/components/schemas/Task' };
const json = (schema: JsonObject): JsonObject => ({
  description: '',
  content: { 'application/json': { schema } },
});
const list = (schema: JsonObject): JsonObject => json({ type: 'array', items: schema });
const success = (response: JsonObject, status = '200'): JsonObject => ({ [status]: response });
const body = (schema: JsonObject): JsonObject => ({
  requestBody: { content: { 'application/json': { schema } } },
});

/** What each operation of some paths does, by its method and path. */
function kindsOf(paths: Record<string, JsonObject>): Readonly<Record<string, OperationKind>> {
  const { operations } = contractOf({ paths, components: { schemas } });
  return Object.fromEntries(operations.map(({ method, path, kind }) => [`${method} ${path.template}`, kind]));
}

const rolesOf = (kinds: Readonly<Record<string, OperationKind>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(kinds).map(([name, { kind }]) => [name, kind]));

const tasks = {
  '/tasks': {
    get: { responses: success(list(task)) },
    post: { ...body(task), responses: success(json(task), '201') },
  },
  '/tasks/{taskId}': {
    get: { responses: success(json(task)) },
    put: { ...body(task), responses: success(json(task)) },
    patch: { ...body(task), responses: success(json(task)) },
    delete: { responses: success({ description: '' }, '204') },
  },
};

test('tells what each operation of a collection does, and where its id comes from', () => {
  const kinds = kindsOf(tasks);
  expect(rolesOf(kinds)).toEqual({
    'GET /tasks': 'list',
    'POST /tasks': 'create',
    'GET /tasks/{taskId}': 'read',
    'PUT /tasks/{taskId}': 'replace',
    'PATCH /tasks/{taskId}': 'update',
    'DELETE /tasks/{taskId}': 'delete',
  });
  for (const kind of Object.values(kinds)) {
    expect(kind).toMatchObject({
      certainty: 'sure',
      resource: {
        collection: '/tasks',
        parameter: 'taskId',
        isKept: true,
        key: { kind: 'server', property: 'id' },
      },
    });
  }
});

test('takes PUT and PATCH of an item for changes where the schema of their body says no more than that it is an object', () => {
  const any = body({ type: 'object' });
  const item = { ...tasks['/tasks/{taskId}'], put: { ...tasks['/tasks/{taskId}'].put, ...any } };
  const kinds = kindsOf({ ...tasks, '/tasks/{taskId}': { ...item, patch: { ...item.patch, ...any } } });
  expect(rolesOf(kinds)).toMatchObject({
    'PUT /tasks/{taskId}': 'replace',
    'PATCH /tasks/{taskId}': 'update',
  });
});

test('finds the resource in envelopes, of requests, responses and lists', () => {
  const kinds = kindsOf({
    '/tasks': {
      get: {
        responses: success(
          json({
            type: 'object',
            properties: { data: { type: 'array', items: task }, total: { type: 'integer' } },
          }),
        ),
      },
      post: {
        ...body({ type: 'object', properties: { task } }),
        responses: success(
          json({ type: 'object', properties: { data: task, meta: { type: 'object' } } }),
          '201',
        ),
      },
    },
    '/tasks/{task_id}': { get: { responses: success(json({ type: 'object', properties: { data: task } })) } },
  });
  expect(kinds['GET /tasks']).toMatchObject({
    kind: 'list',
    list: { kind: 'array', path: ['data'], element: [] },
  });
  expect(kinds['POST /tasks']).toMatchObject({ kind: 'create', request: ['task'], response: ['data'] });
  expect(kinds['GET /tasks/{task_id}']).toMatchObject({ kind: 'read', response: ['data'] });
});

test('an item that PUT creates is named by the client; a collection below an item has that for its parent', () => {
  const profile = { $ref: '#/components/schemas/Profile' };
  const kinds = kindsOf({
    '/profiles/{handle}': {
      get: { responses: success(json(profile)) },
      put: { ...body(profile), responses: success(json(profile), '201') },
    },
    '/profiles/{handle}/tasks': { post: { ...body(task), responses: success(json(task), '201') } },
  });
  expect(kinds['PUT /profiles/{handle}']).toMatchObject({
    kind: 'replace',
    creates: true,
    resource: { key: { kind: 'client', property: 'handle' } },
  });
  expect(kinds['POST /profiles/{handle}/tasks']).toMatchObject({ resource: { parent: '/profiles' } });
});

test('what has no siblings is a singleton, and what is done with an item that it answers with is an action', () => {
  const kinds = kindsOf({
    ...tasks,
    '/settings': {
      get: { responses: success(json({ type: 'object', properties: { theme: { type: 'string' } } })) },
      put: {
        ...body({ type: 'object', properties: { theme: { type: 'string' } } }),
        responses: success({ description: '' }, '204'),
      },
    },
    '/tasks/{taskId}/close': { post: { operationId: 'closeTask', responses: success(json(task)) } },
  });
  expect(kinds['PUT /settings']).toMatchObject({ kind: 'replace', resource: { kind: 'singleton' } });
  expect(kinds['POST /tasks/{taskId}/close']).toMatchObject({
    kind: 'action',
    resource: { collection: '/tasks' },
  });
});

test('what looks up, logs in or closes creates nothing, though it is a POST with a body', () => {
  const answer = json({ type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } });
  const post = (operationId: string): JsonObject => ({
    post: {
      operationId,
      ...body({ type: 'object', properties: { title: { type: 'string' } } }),
      responses: success(answer),
    },
  });
  const kinds = kindsOf({
    '/getAccountHolder': post('getAccountHolder'),
    '/closeAccount': post('closeAccount'),
    '/login': post('login'),
    '/tasks/search': post('searchTasks'),
    '/accounts': post('createAccount'),
  });
  expect(rolesOf(kinds)).toEqual({
    'POST /getAccountHolder': 'sample',
    'POST /closeAccount': 'sample',
    'POST /login': 'sample',
    'POST /tasks/search': 'sample',
    'POST /accounts': 'create',
  });
});

test('x-cloche-resource says what an operation does, and which property is the id', () => {
  const post = { ...body(task), responses: success(json(task)) };
  const kinds = kindsOf({
    '/do': { post: { ...post, 'x-cloche-resource': { name: 'jobs', role: 'create', key: 'title' } } },
    '/tasks': { post: { ...post, operationId: 'createTask', 'x-cloche-resource': { role: 'sample' } } },
  });
  expect(kinds['POST /do']).toMatchObject({
    kind: 'create',
    certainty: 'declared',
    resource: { name: 'jobs', key: { kind: 'client', property: 'title' } },
  });
  expect(kinds['POST /tasks']).toMatchObject({ kind: 'sample' });
});

test('what nothing fills is not kept: its operations are answered with samples', () => {
  const kinds = kindsOf({ '/tasks': { get: { responses: success(list(task)) } } });
  expect(kinds['GET /tasks']).toMatchObject({ kind: 'list', resource: { isKept: false } });
});
