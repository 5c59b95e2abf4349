import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { samples } from '../../suites/samples.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { loadContract } from '../contract/load.ts';
import type { HttpRequest, Send } from '../http/message.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { createMock } from '../mock/create-mock.ts';
import { runSuites } from '../runner/run.ts';
import type { Suite } from '../runner/suite.ts';

const path = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));

/** Runs suites on a service that holds what is not the run's, as though it were far away, and lists what was sent. */
async function runOnService(
  suites: readonly Suite[],
  options: { readonly readOnly?: boolean; readonly interruptAfter?: number } = {},
) {
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract);
  const ask = async (method: string, target: string, body?: string): Promise<string> => {
    const answer = await mock.send(
      {
        method,
        target,
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
      },
      { framing: 'content-length' },
    );
    if (answer.kind !== 'response') throw new Error(answer.kind);
    return `${answer.response.status} ${new TextDecoder().decode(answer.response.body)}`;
  };
  const interruption = new AbortController();
  const sent: { readonly request: HttpRequest; readonly status: number }[] = [];
  const send: Send = async (request, how) => {
    const answer = await mock.send(request, how);
    if (sent.length === options.interruptAfter) interruption.abort();
    sent.push({ request, status: answer.kind === 'response' ? answer.response.status : 0 });
    return answer;
  };
  const theirs = await ask('POST', '/projects', '{"name":"Theirs"}');
  const before = await ask('GET', '/projects');
  const result = await runSuites(
    suites,
    { contract, send, socketSend: send, policy: mock.policy },
    { seed: 1, runs: 5, readOnly: options.readOnly, signal: interruption.signal },
  );
  return { result, sent, before, after: await ask('GET', '/projects'), theirs };
}

test('every operation of an item is tried on one that exists', async () => {
  const { sent, result } = await runOnService([samples]);
  const met = new Set(
    sent
      .filter(({ status }) => status < 300)
      .map(({ request }) => `${request.method} ${request.target.replaceAll(/\d+|[\da-f-]{36}/gu, '…')}`),
  );
  expect([...met].toSorted()).toMatchInlineSnapshot(`
    [
      "DELETE /projects/…",
      "GET /projects",
      "GET /projects/…",
      "GET /projects/…/tasks",
      "PATCH /projects/…",
      "POST /projects",
      "POST /projects/…/tasks",
      "PUT /projects/…",
    ]
  `);
  expect(result.findings.map(({ finding }) => finding.check)).toEqual([]);
});

test('a run on a service changes nothing of others, and takes its own away', async () => {
  const { before, after } = await runOnService(allSuites);
  expect(after).toBe(before);
});

test('a run says how many items it made that no path names, so that it cannot take them away', async () => {
  const { result } = await runOnService([samples]);
  const stay = result.notChecked.filter(({ what }) => what === 'Left behind');
  expect(stay.map(({ reason }) => reason.replace(/\d+ items?/u, 'n items'))).toEqual([
    'up to n items in /projects/{projectId}/tasks (no operation deletes them)',
  ]);
});

test('an interrupted run takes its own away too', async () => {
  const { before, after, result } = await runOnService(allSuites, { interruptAfter: 200 });
  expect([result.interrupted, after]).toEqual([true, before]);
});

test('a run that only reads sends nothing but GET, HEAD and OPTIONS', async () => {
  const { sent } = await runOnService(allSuites, { readOnly: true });
  expect([...new Set(sent.map(({ request }) => request.method))].toSorted()).toEqual([
    'GET',
    'HEAD',
    'OPTIONS',
  ]);
});

test('a change whose body alone names an item is not sent without it, as it may be of anything', async () => {
  const properties = { id: { type: 'integer' }, name: { type: 'string' } };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const responses = { '200': { description: 'ok', content } };
  const contract = contractOf({
    paths: {
      '/pets': {
        post: { requestBody: { content }, responses },
        put: { requestBody: { content }, responses },
      },
      '/pets/{petId}': {
        get: {
          parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
          responses,
        },
      },
    },
  });
  const bodies: string[] = [];
  const send: Send = async ({ method, body }) => {
    // Some are in UTF-16.
    if (method === 'PUT') bodies.push(new TextDecoder().decode(body));
    const headers = [['Content-Type', 'application/json']] as const;
    const made = new TextEncoder().encode('{"id":741,"name":"Rex"}');
    return { kind: 'response', response: { status: 200, headers, body: made } };
  };
  await runSuites(allSuites, { contract, send, socketSend: send }, { seed: 1, runs: 20 });
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.filter((body) => !body.replaceAll('\0', '').includes('741'))).toEqual([]);
});

/** A service of snippets and of comments that refer to them, as frameworks with slashes at the end of paths serve them. */
function slashedService() {
  const snippet = {
    type: 'object',
    required: ['code'],
    properties: { id: { type: 'integer', readOnly: true }, code: { type: 'string' } },
  };
  const comment = {
    type: 'object',
    required: ['snippet'],
    properties: { id: { type: 'integer', minimum: 1 }, snippet: { type: 'integer' } },
  };
  const pathsOf = (name: string, schema: JsonObject): JsonObject => {
    const content = { 'application/json': { schema } };
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const requestBody = { content };
    const ok = { '200': { description: 'ok', content } };
    const list = {
      '200': {
        description: 'ok',
        content: { 'application/json': { schema: { type: 'array', items: schema } } },
      },
    };
    return {
      [`/${name}/`]: {
        get: { responses: list },
        post: { requestBody, responses: { '201': { description: 'ok', content } } },
      },
      [`/${name}/{id}/`]: {
        parameters: [id],
        get: { responses: ok },
        put: { requestBody, responses: ok },
        patch: { requestBody, responses: ok },
        delete: { responses: { '204': { description: 'gone' } } },
      },
    };
  };
  return contractOf({ paths: { ...pathsOf('snippets', snippet), ...pathsOf('comments', comment) } });
}

test('a slash at the end of paths, ids that clients change and items that refer to others change nothing of that', async () => {
  const contract = slashedService();
  const rows = new Map<string, JsonObject>();
  const isReferredTo = (target: string): boolean =>
    [...rows.values()].some(({ snippet }) => `/snippets/${JSON.stringify(snippet)}/` === target);
  const statuses: string[] = [];
  let last = 0;
  const answer = ({
    method,
    target,
    body,
  }: HttpRequest): readonly [status: number, content?: JsonValue | undefined] => {
    const [path = ''] = target.split('?');
    const collection = path.split('/').slice(0, 2).join('/');
    const read = (): JsonObject => JSON.parse(new TextDecoder().decode(body)) as JsonObject;
    if (path === `${collection}/`) {
      if (method === 'GET')
        return [200, [...rows].flatMap(([name, row]) => (name.startsWith(path) ? [row] : []))];
      last += 1;
      rows.set(`${path}${last}/`, { ...read(), id: last });
      return [201, rows.get(`${path}${last}/`)];
    }
    const row = rows.get(path);
    if (row === undefined) return [404];
    if (method === 'DELETE') return isReferredTo(path) ? [409] : rows.delete(path) ? [204] : [404];
    if (method === 'GET') return [200, row];
    const { id = row['id'], ...changes } = read();
    const moved = `${collection}/${JSON.stringify(id)}/`;
    if (moved !== path && rows.has(moved)) return [409];
    rows.delete(path);
    rows.set(moved, { ...row, ...changes, id: id ?? null });
    return [200, rows.get(moved)];
  };
  const send: Send = async (request) => {
    const [status, content] = answer(request);
    statuses.push(`${request.method} ${request.target.replaceAll(/\d+/gu, '…')} ${status}`);
    const isJson = content !== undefined;
    return {
      kind: 'response',
      response: {
        status,
        headers: isJson ? [['Content-Type', 'application/json']] : [],
        body: new TextEncoder().encode(isJson ? JSON.stringify(content) : ''),
      },
    };
  };
  await runSuites([samples, validBodies], { contract, send, socketSend: send }, { seed: 1, runs: 5 });
  expect([...new Set(statuses)].filter((status) => /2\d\d$/u.test(status)).toSorted()).toEqual([
    'DELETE /comments/…/ 204',
    'DELETE /snippets/…/ 204',
    'GET /comments/ 200',
    'GET /comments/…/ 200',
    'GET /snippets/ 200',
    'GET /snippets/…/ 200',
    'PATCH /comments/…/ 200',
    'PATCH /snippets/…/ 200',
    'POST /comments/ 201',
    'POST /snippets/ 201',
    'PUT /comments/…/ 200',
    'PUT /snippets/…/ 200',
  ]);
  // Snippets stay as long as comments refer to them, so that these have to go before; and some were given other ids.
  expect([...rows.keys()]).toEqual([]);
});

test('an id that no URL can hold is named by no path, and ends no run', async () => {
  const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const note = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const answer = (schema: JsonObject): JsonObject => ({ description: '', ...json(schema) });
  const contract = contractOf({
    paths: {
      '/notes': {
        get: { responses: { 200: answer({ type: 'array', items: note }) } },
        post: { requestBody: json({ type: 'object' }), responses: { 201: answer(note) } },
      },
      '/notes/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: answer(note) },
        },
      },
    },
  });
  const send: Send = async ({ method, target }) => {
    const item = '{"id":"\\ud800"}';
    const body = new TextEncoder().encode(method === 'GET' && target === '/notes' ? `[${item}]` : item);
    const headers = [['Content-Type', 'application/json']] as const;
    return { kind: 'response', response: { status: method === 'POST' ? 201 : 200, headers, body } };
  };
  const { policy } = await createMock(contract);
  const { findings } = await runSuites([samples], { contract, send, policy }, { seed: 1, runs: 2 });
  expect(findings.filter(({ finding: { level } }) => level === 'violation')).toEqual([]);
});

test('items that the run makes for its requests have names of their own if names must be unique', async () => {
  const shape = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
  const room = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 40 } },
  };
  const shown = { ...room, properties: { ...room.properties, id: { type: 'integer' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const contract = contractOf({
    paths: {
      '/rooms': {
        post: {
          requestBody: { required: true, ...shape(room) },
          responses: {
            201: { description: '', ...shape(shown) },
            400: { description: '' },
            409: { description: '' },
          },
        },
      },
      '/rooms/{id}': {
        parameters: [id],
        put: {
          requestBody: { required: true, ...shape(room) },
          responses: {
            200: { description: '', ...shape(shown) },
            400: { description: '' },
            404: { description: '' },
          },
        },
        delete: { responses: { 204: { description: '' }, 404: { description: '' } } },
      },
    },
  });
  const mock = await createMock(contract, { policy: { 'unique-properties': ['name'] } });
  const statuses = new Map<string, number[]>();
  const send: Send = async (request, how) => {
    const answer = await mock.send(request, how);
    const known = statuses.get(request.method) ?? [];
    statuses.set(request.method, [...known, answer.kind === 'response' ? answer.response.status : 0]);
    return answer;
  };
  const { policy } = mock;
  await runSuites(
    [samples, validBodies],
    { contract, send, socketSend: send, policy },
    { seed: 1, runs: 20 },
  );
  expect(statuses.get('PUT')?.filter((status) => status === 200).length).toBeGreaterThan(10);
  expect(statuses.get('DELETE')).toContain(204);
});
