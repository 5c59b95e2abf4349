import { expect, test } from 'vitest';
import { body, item, json, kindsOf, list, rolesOf, shape, success, task } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

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

test.each([
  [{ role: 'list' }, 'cannot be "list", as the response holds no list'],
  [{ role: 'action' }, 'cannot be "action", as the response shows no item that a path above leads to'],
  [
    { role: 'create', key: 'number' },
    'cannot be "number", as neither request nor response has such a property',
  ],
])('x-cloche-resource may not say %o of an operation that cannot do it', (said, reason) => {
  const post = { ...body(task), responses: success(json(task)), 'x-cloche-resource': said };
  expect(() => kindsOf({ '/do': { post } })).toThrow(reason);
});

test('what nothing fills is not kept: its operations are answered with samples', () => {
  const kinds = kindsOf({ '/tasks': { get: { responses: success(list(task)) } } });
  expect(kinds['GET /tasks']).toMatchObject({ kind: 'list', resource: { isKept: false } });
});

const text = { type: 'string' };

test('a call that only computes creates nothing, whatever it is called', () => {
  const post = (operationId: string, schema: JsonObject, status = '200'): JsonObject => ({
    post: { operationId, ...body(shape('image', 'name')), responses: success(json(schema), status) },
  });
  const kinds = kindsOf({
    '/generate-rules': post('generateRules', shape('rule')),
    '/assignTerminals': post('post-assignTerminals', shape('results')),
    '/moderation/unmute': post('UnmuteUser', shape('duration'), '201'),
    '/images/tags': post('imageTags', shape('predictions')),
    '/things:import': post('things.import', shape('name', 'done')),
  });
  expect(new Set(Object.values(rolesOf(kinds)))).toEqual(new Set(['sample']));
});

test('PUT on a collection may create, and so may PUT and POST on an item, without a body too', () => {
  const channel = shape('channelId', 'topic');
  const kinds = kindsOf({
    '/channels': {
      put: { operationId: 'AddChannel', ...body(shape('topic')), responses: success(json(channel)) },
    },
    ...item('/channels/{channelId}', channel),
    '/programs/{name}': {
      get: { responses: success(json(shape('name', 'slot'))) },
      post: {
        operationId: 'createProgram',
        ...body(shape('slot')),
        responses: success(json(shape('name', 'slot'))),
      },
      put: {
        operationId: 'updateProgram',
        ...body(shape('slot')),
        responses: success(json(shape('name', 'slot'))),
      },
    },
    '/locks/{name}': { put: { responses: success(json(shape('name')), '201') } },
  });
  expect(kinds['PUT /channels']).toMatchObject({ kind: 'create', key: { property: 'channelId' } });
  expect(kinds['POST /programs/{name}']).toMatchObject({ kind: 'replace', creates: true });
  expect(kinds['PUT /programs/{name}']).toMatchObject({ kind: 'replace', creates: false });
  expect(kinds['PUT /locks/{name}']).toMatchObject({ kind: 'replace', creates: true });
});

test('what a form changes is changed, and what POST sets is a singleton', () => {
  const form = (schema: JsonObject): JsonObject => ({
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } },
  });
  const service = shape('sid', 'name', 'url');
  const kinds = kindsOf({
    '/services/{sid}': {
      get: { responses: success(json(service)) },
      post: { operationId: 'UpdateService', ...form(shape('name')), responses: success(json(service)) },
    },
    '/configuration': {
      get: { operationId: 'FetchConfiguration', responses: success(json(shape('theme', 'language'))) },
      post: {
        operationId: 'UpdateConfiguration',
        ...form(shape('theme', 'language')),
        responses: success(json(shape('theme', 'language'))),
      },
    },
  });
  expect(kinds['POST /services/{sid}']).toMatchObject({ kind: 'update' });
  expect(kinds['GET /configuration']).toMatchObject({ kind: 'read', resource: { kind: 'singleton' } });
  expect(kinds['POST /configuration']).toMatchObject({ kind: 'update', resource: { isKept: true } });
});

test('a list is told from what stands around it by its name', () => {
  const around = (name: string): JsonObject => ({
    type: 'object',
    properties: { [name]: { type: 'array', items: task }, visitor: text, took: text, quota: text },
  });
  const kinds = kindsOf({
    '/tasks': { get: { responses: success(json(around('tasks'))) } },
    '/search': { get: { responses: success(json(around('hits'))) } },
    '/videos': { get: { operationId: 'videos.list', responses: success(json(around('found'))) } },
  });
  expect(rolesOf(kinds)).toEqual({ 'GET /tasks': 'list', 'GET /search': 'sample', 'GET /videos': 'list' });
});

test('two resources with members that all have are told apart by what is particular to them', () => {
  const resource = (...names: string[]): JsonObject => ({
    type: 'object',
    properties: {
      data: { type: 'object', properties: { id: text, type: text, attributes: shape(...names) } },
    },
  });
  const kinds = kindsOf({
    ...item('/webhooks/{id}', resource('url', 'secret')),
    '/webhooks/{id}/ping': { post: { responses: success(json(resource('event', 'at'))) } },
    '/webhooks/{id}/enable': { post: { responses: success(json(resource('url', 'secret'))) } },
  });
  expect(kinds['POST /webhooks/{id}/ping']).toMatchObject({ kind: 'sample' });
  expect(kinds['POST /webhooks/{id}/enable']).toMatchObject({ kind: 'action' });
});

test.each([
  ['org', 'string', ['id', 'name', 'site'], 'name'],
  ['user', 'string', ['id', 'login', 'name'], 'login'],
  ['pet', 'integer', ['id', 'name'], 'id'],
  ['petId', 'string', ['id', 'name'], 'id'],
])('{%s}, a %s, of what has %o is its "%s"', (name, type, properties, property) => {
  const things = Object.fromEntries(
    properties.map((each) => [each, ['id', 'number'].includes(each) ? { type: 'integer' } : text]),
  );
  const kinds = kindsOf({
    [`/things/{${name}}`]: {
      parameters: [{ name, in: 'path', required: true, schema: { type } }],
      get: { responses: success(json({ type: 'object', properties: things })) },
    },
  });
  expect(Object.values(kinds)).toMatchObject([{ resource: { key: { property } } }]);
});

test('reads the verb of an operationId wherever it stands', () => {
  const file = shape('name', 'content');
  const kinds = kindsOf({
    '/files/{name}': {
      get: { operationId: 'repoGetFile', responses: success(json(file)) },
      post: { operationId: 'repoCreateFile', ...body(file), responses: success(json(file)) },
      put: { operationId: 'filesUpdate', ...body(file), responses: success(json(file)) },
    },
  });
  expect(kinds['POST /files/{name}']).toMatchObject({ kind: 'replace', creates: true });
  expect(kinds['PUT /files/{name}']).toMatchObject({ kind: 'replace', creates: false });
});

test('what is listed as /crls and read as /crl/{id} is one resource', () => {
  const crl = shape('crlId', 'name');
  const kinds = kindsOf({
    ...item('/crl/{crlId}', crl),
    '/crls': {
      get: { responses: success(list(crl)) },
      post: { ...body(shape('name')), responses: success(json(crl), '201') },
    },
  });
  expect(kinds['GET /crl/{crlId}']).toMatchObject({ resource: { collection: '/crls', isKept: true } });
});

test('a path with a parameter may search, and an object that is set is no list of the texts in it', () => {
  const found = { type: 'object', properties: { results: { type: 'array', items: task }, answer: text } };
  const users = {
    type: 'object',
    properties: { sid: text, users: { type: 'array', items: text }, url: text },
  };
  const kinds = kindsOf({
    '/search/{query}': { get: { responses: success(json(found)) } },
    '/users': {
      get: { operationId: 'FetchUsers', responses: success(json(users)) },
      post: { operationId: 'UpdateUsers', ...body(users), responses: success(json(users)) },
    },
  });
  expect(kinds['GET /search/{query}']).toMatchObject({ kind: 'sample' });
  expect(kinds['GET /users']).toMatchObject({ kind: 'read', resource: { kind: 'singleton' } });
});

test('an object of ids that is put at the path which shows it is one thing, and no list', () => {
  const ids = { type: 'array', items: { type: 'integer' } };
  const contacts = { type: 'object', properties: { primaryId: { type: 'integer' }, additionalIds: ids } };
  const path = '/projects/{projectId}/contacts';
  const put = { ...body(contacts), responses: success(json(contacts)) };
  const kinds = kindsOf({ [path]: { get: { responses: success(json(contacts)) }, put } });
  expect(rolesOf(kinds)).toEqual({ [`GET ${path}`]: 'read', [`PUT ${path}`]: 'replace' });
  expect(kinds[`GET ${path}`]).toMatchObject({ resource: { kind: 'singleton' } });
});

test('an object that is put with its list of objects is one thing, and so is what a correction says is read', () => {
  const lines = { type: 'array', items: shape('bookId', 'quantity') };
  const basket = { type: 'object', properties: { lines, total: { type: 'number' } } };
  const sent = { type: 'object', properties: { lines } };
  const put = { ...body(sent), responses: success(json(basket)) };
  const get = { responses: success(json(basket)) };
  const renamed = {
    ...body({ type: 'object', properties: { items: lines } }),
    responses: success(json(basket)),
  };
  const kinds = kindsOf({
    '/me/basket': { get, put },
    '/me/cart': { get, put: renamed },
    '/me/order': { get: { ...get, 'x-cloche-resource': { role: 'read' } }, put: renamed },
  });
  expect(kinds['GET /me/basket']).toMatchObject({ kind: 'read', resource: { kind: 'singleton' } });
  expect(kinds['PUT /me/basket']).toMatchObject({ kind: 'replace' });
  expect(kinds['GET /me/cart']?.kind).not.toBe('read');
  expect(kinds['GET /me/order']).toMatchObject({ kind: 'read', resource: { kind: 'singleton' } });
  expect(kinds['PUT /me/order']).toMatchObject({ kind: 'replace' });
});

test('what is done with all that is below a parent is no action on it', () => {
  const operation = shape('name', 'done', 'error');
  const kinds = kindsOf({
    ...item('/v1/{name}', operation),
    '/v1/{parent}/users:import': { post: { ...body(shape('source')), responses: success(json(operation)) } },
  });
  expect(rolesOf(kinds)).toEqual({ 'GET /v1/{name}': 'read', 'POST /v1/{parent}/users:import': 'sample' });
});

test('what is put at a path and found nowhere again is not kept', () => {
  const put = { ...body(shape('oldPassword', 'newPassword')), responses: success({ description: '' }) };
  const kinds = kindsOf({ '/users/password/{username}': { put }, '/tasks/{id}': tasks['/tasks/{taskId}'] });
  expect(kinds['PUT /users/password/{username}']).toMatchObject({ resource: { isKept: false } });
  expect(kinds['PUT /tasks/{id}']).toMatchObject({ resource: { isKept: true } });
});

test('what is named in the query is not one alone', () => {
  const aliases = (name: string): JsonObject => ({
    parameters: [{ name, in: 'query', required: true, schema: { type: 'string' } }],
    get: { responses: success(json(shape('destination'))) },
    put: { ...body(shape('destination')), responses: success(json(shape('destination'))) },
  });
  const kinds = kindsOf({ '/aliases': aliases('aliasName'), '/settings': aliases('api-version') });
  expect(rolesOf(kinds)).toEqual({
    'GET /aliases': 'sample',
    'PUT /aliases': 'sample',
    'GET /settings': 'read',
    'PUT /settings': 'replace',
  });
});

test('what is done with an instance, and answers with an operation, is no action on the operation', () => {
  const operation = shape('name', 'done', 'error');
  const post = (id: string): JsonObject => ({
    post: { operationId: id, ...body(shape('force')), responses: success(json(operation)) },
  });
  const kinds = kindsOf({
    '/v1/{name}': { get: { operationId: 'api.operations.get', responses: success(json(operation)) } },
    '/v1/{name}:reset': post('api.instances.reset'),
    '/v1/{name}:cancel': post('api.operations.cancel'),
  });
  expect(rolesOf(kinds)).toMatchObject({
    'POST /v1/{name}:reset': 'sample',
    'POST /v1/{name}:cancel': 'action',
  });
});

test('the schema of an answer is that of the JSON which has one', () => {
  const content = {
    'application/json': { examples: { one: { value: { id: 1 } } } },
    'application/json; charset=utf-8': { schema: task },
  };
  const kinds = kindsOf({ '/tasks/{taskId}': { get: { responses: success({ description: '', content }) } } });
  expect(kinds['GET /tasks/{taskId}']).toMatchObject({ kind: 'read', resource: { key: { property: 'id' } } });
});

test('a list that is asked for by POST creates nothing, and a PUT without a body replaces nothing that is created elsewhere', () => {
  const batch = shape('batchId', 'state');
  const kinds = kindsOf({
    '/batches': {
      post: { operationId: 'createBatch', ...body(shape('state')), responses: success(json(batch), '201') },
    },
    '/batches/{batchId}': {
      get: { responses: success(json(batch)) },
      put: { operationId: 'submitBatch', responses: success({ description: '' }, '204') },
    },
    '/channels': {
      post: {
        operationId: 'ListChannels',
        ...body(shape('nextToken')),
        responses: success(
          json({
            type: 'object',
            properties: { nextToken: text, channels: { type: 'array', items: batch } },
          }),
        ),
      },
    },
    '/channels/{id}': { delete: { responses: success({ description: '' }, '204') } },
  });
  expect(kinds['POST /channels']).toMatchObject({ kind: 'sample' });
  expect(kinds['PUT /batches/{batchId}']).toMatchObject({ kind: 'sample' });
});

test('a list shows the id that the body of a create need not have, and an envelope may be around another', () => {
  const shape = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
  const around = (name: string, schema: JsonObject): JsonObject => shape({ [name]: schema });
  const text = { type: 'string' };
  const sent = shape({ title: text, organization_id: { type: 'integer' }, body: text, tags: text });
  const articles = kindsOf({
    '/articles': {
      get: { responses: success(list(shape({ id: { type: 'integer' }, title: text, url: text }))) },
      post: { ...body(around('article', sent)), responses: success({ description: '' }, '201') },
    },
    '/articles/{id}': { put: { ...body(around('article', sent)), responses: success({ description: '' }) } },
  });
  const made = { kind: 'server', property: 'id', isNumber: true };
  expect(articles['PUT /articles/{id}']).toMatchObject({ resource: { key: made }, request: ['article'] });
  const one = json(around('data', around('account', shape({ id: text, name: text, closed: text }))));
  const accounts = kindsOf({
    '/accounts': { post: { ...body(around('account', shape({ name: text }))), responses: success(one) } },
    '/accounts/{account_id}': { get: { responses: success(one) } },
  });
  expect(accounts['POST /accounts']).toMatchObject({
    key: { property: 'id' },
    response: ['data', 'account'],
  });
  expect(accounts['GET /accounts/{account_id}']).toMatchObject({ response: ['data', 'account'] });
  const done = json(shape({ status: text, operation: text, data: shape({ id: text }) }));
  const jobs = kindsOf({
    '/jobs': { post: { ...body(shape({ name: text, status: text })), responses: success(done) } },
    '/jobs/{id}': { get: { responses: success(json(shape({ id: text, name: text, status: text }))) } },
  });
  expect(jobs['POST /jobs']).toMatchObject({ key: { property: 'id' }, response: ['data'] });
});
