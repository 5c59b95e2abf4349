import { expect, onTestFinished, test } from 'vitest';
import { openMock } from '../../../fixtures/mock-client.ts';
import type { RecordedExchange } from './recording.ts';

const thing = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const one = (status: string) => ({ [status]: { description: 'One.', content: content(thing) } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: { '200': { description: 'All.', content: content({ type: 'array', items: thing }) } },
      },
      post: { operationId: 'createThing', requestBody: { content: content(thing) }, responses: one('201') },
    },
    '/things/{id}': {
      parameters: [id],
      get: { operationId: 'getThing', responses: { ...one('200'), '404': { description: 'None.' } } },
      put: { operationId: 'putThing', requestBody: { content: content(thing) }, responses: one('200') },
      delete: { operationId: 'deleteThing', responses: { '204': { description: 'Gone.' } } },
    },
    '/search': {
      post: {
        operationId: 'search',
        requestBody: { content: content({}) },
        responses: { '200': { description: 'Found.', content: content({}) } },
      },
    },
  },
};

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
let count = 0;
function recorded(line: string, status: number, body?: unknown, sent?: unknown): RecordedExchange {
  const [method = '', target = ''] = line.split(' ');
  count += 1;
  return {
    place: `entry ${count} of a.har`,
    request: { method, target, headers: [], body: sent === undefined ? undefined : bytes(sent) },
    response: {
      status,
      headers: [
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'gzip'],
        ['X-Trace', 'a'],
        ['Set-Cookie', 'sid=a-secret-session; Path=/'],
      ],
      body: body === undefined ? new Uint8Array() : bytes(body),
    },
  };
}

async function open(replay: readonly RecordedExchange[]) {
  const warnings: string[] = [];
  const opened = await openMock(document, { replay, warn: (sentence) => warnings.push(sentence) });
  onTestFinished(() => opened.mock.close());
  const send = async (line: string, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await opened.mock.fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    const from = response.headers.get('cloche-sample');
    // `as`: the test compares it.
    return {
      status: response.status,
      body: text === '' ? '' : (JSON.parse(text) as unknown),
      from,
      response,
    };
  };
  return { ...opened, send, warnings };
}

const rose = { id: 1, name: 'rose', secretColour: 'red' };
const fern = { id: 2, name: 'fern' };

test('a recorded item is answered until the client deletes it, and again after a reset; the log hides its cookie', async () => {
  const { send, mock } = await open([recorded('GET /things/1', 200, rose)]);
  const first = await send('GET /things/1');
  expect([first.status, first.body, first.from]).toEqual([200, rose, 'recorded']);
  expect([first.response.headers.get('x-trace'), first.response.headers.get('content-encoding')]).toEqual([
    'a',
    null,
  ]);
  expect(mock.requests.list({}).at(-1)).toMatchObject({ operation: 'getThing', sample: 'recorded' });
  expect(first.response.headers.getSetCookie()).toEqual(['sid=a-secret-session; Path=/']);
  expect(JSON.stringify(mock.requests.list({}))).not.toContain('a-secret-session');
  expect((await send('DELETE /things/1')).status).toBe(204);
  expect((await send('GET /things/1')).status).toBe(404);
  await mock.reset();
  expect(await send('GET /things/1')).toMatchObject({ status: 200, from: 'recorded' });
});

test('a change ends the recorded answers for its item and its list, not for other items', async () => {
  const { send, mock } = await open([
    recorded('GET /things', 200, [rose, fern]),
    recorded('GET /things/1', 200, rose),
    recorded('GET /things/2', 200, fern),
  ]);
  expect(await send('GET /things')).toMatchObject({ body: [rose, fern], from: 'recorded' });
  expect(await send('PUT /things/1', { name: 'tulip' })).toMatchObject({ status: 200, from: null });
  expect(await send('GET /things/1')).toMatchObject({ body: { id: 1, name: 'tulip' }, from: null });
  expect(await send('GET /things/2')).toMatchObject({ body: fern, from: 'recorded' });
  expect(await send('GET /things')).toMatchObject({
    body: [{ name: 'tulip' }, { name: 'fern' }],
    from: null,
  });
  await mock.state.delete('/things', '2');
  expect((await send('GET /things/2')).status).toBe(404);
});

test('a create with the recorded body is answered once, and its item is kept', async () => {
  const { send } = await open([
    recorded('POST /things', 201, { id: 17, name: 'oak' }, { name: 'oak' }),
    recorded('GET /things/17', 200, { id: 17, name: 'oak' }),
  ]);
  expect(await send('POST /things', { name: 'oak' })).toMatchObject({ body: { id: 17 }, from: 'recorded' });
  expect(await send('GET /things/17')).toMatchObject({ body: { id: 17, name: 'oak' }, from: null });
  const again = await send('POST /things', { name: 'oak' });
  expect([again.status, again.from]).toEqual([201, null]);
  expect(again.body).not.toMatchObject({ id: 17 });
  expect(await send('POST /things', { name: 'elm' })).toMatchObject({ body: { name: 'elm' }, from: null });
  expect((await send('POST /things', {})).status).toBe(400);
});

test('new recorded exchanges replace the others, and those that fit no operation are reported', async () => {
  const { send, mock, warnings } = await open([
    recorded('GET /things/1', 200, rose),
    recorded('GET /things/2', 200, fern),
  ]);
  await send('DELETE /things/1');
  await mock.change({
    replay: [recorded('GET /things/1', 200, { ...rose, name: 'tulip' }), recorded('GET /nothing', 200)],
  });
  expect(await send('GET /things/1')).toMatchObject({ body: { name: 'tulip' }, from: 'recorded' });
  expect((await send('GET /things/2')).status).toBe(404);
  expect(warnings).toEqual([expect.stringContaining('GET /nothing')]);
  await send('DELETE /things/1');
  await mock.reset();
  expect(await send('GET /things/1')).toMatchObject({ body: { name: 'tulip' }, from: 'recorded' });
});

test('the exchange with the fewest differing query values or the same body answers', async () => {
  const { send } = await open([
    recorded('GET /things?page=1&x=1', 200, [rose]),
    recorded('GET /things?page=2&x=1', 200, [fern]),
    recorded('POST /search', 200, { found: 1 }, { text: 'a', limit: 1 }),
    recorded('POST /search', 200, { found: 2 }, { text: 'b', limit: 1 }),
  ]);
  expect((await send('GET /things?page=2&x=9')).body).toEqual([fern]);
  expect((await send('GET /things?page=7')).body).toEqual([rose]);
  expect((await send('POST /search', { limit: 1, text: 'b' })).body).toEqual({ found: 2 });
  expect((await send('POST /search', { text: 'c' })).body).toEqual({ found: 1 });
  expect(await send('GET /things/9')).toMatchObject({ status: 404, from: null });
});

test('what matches no operation or breaks the document is reported at the start, and the latter is served', async () => {
  const { send, warnings } = await open([
    recorded('GET /other?token=abc', 200, {}),
    recorded('GET /things/1', 200, { id: 'one' }),
  ]);
  expect(warnings).toEqual([
    expect.stringMatching(/match no operation: 1: GET \/other in entry \d+ of a\.har\.$/u),
    expect.stringMatching(
      /break the document, and are served: 1: GET \/things\/1 in entry \d+ of a\.har \(.+\)\.$/u,
    ),
  ]);
  const { status, response } = await send('GET /things/1');
  expect([status, response.headers.get('cloche-undeclared')]).toEqual([200, 'recording']);
  await send('DELETE /things/1');
  expect((await send('GET /things/1')).status).toBe(404);
});
