import { expect, test } from 'vitest';
import type { ClientResponse } from '../../../fixtures/service-client.ts';
import {
  integer,
  json,
  mockOf,
  object,
  type Parts,
  response,
  text,
} from '../../../fixtures/document-parts.ts';

const problem = object({ title: text, detail: text });
const create = (responses: Record<string, unknown>): Parts => ({
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        security: [{ key: [] }],
        requestBody: { required: true, ...Object(json(object({ id: integer }))) },
        responses: { 201: response(object({ id: integer })), ...responses },
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } } },
});

/** The status and mark of each kind of refusal under some declared responses. */
async function refusals(responses: Record<string, unknown>): Promise<Record<string, string>> {
  const client = await mockOf(create(responses));
  const show = ({ status, undeclared }: ClientResponse): string => `${status} ${undeclared ?? 'declared'}`;
  await client.post('/orders?key=k', { id: 1 });
  return {
    invalid: show(await client.post('/orders?key=k', {})),
    malformed: show(await client.post('/orders?key=k', '{')),
    conflict: show(await client.post('/orders?key=k', { id: 1 })),
    media: show(await client.post('/orders?key=k', '{}', { 'content-type': 'text/plain' })),
    credentials: show(await client.post('/orders', { id: 1 })),
  };
}

test('answers what is declared for each kind of refusal, the likeliest status first', async () => {
  const all = {
    400: response(problem),
    401: response(problem),
    409: response(problem),
    415: response(problem),
    422: response(problem),
  };
  expect(await refusals(all)).toEqual({
    invalid: '400 declared',
    malformed: '400 declared',
    conflict: '409 declared',
    media: '415 declared',
    credentials: '401 declared',
  });
  expect(await refusals({ 422: response(problem), 403: response() })).toEqual({
    invalid: '422 declared',
    malformed: '422 declared',
    conflict: '422 declared',
    media: '422 declared',
    credentials: '403 declared',
  });
});

test('answers with a status of the document’s own where it declares nothing else for what is wrong', async () => {
  expect(await refusals({ 404: response(problem), 480: response(problem) })).toMatchObject({
    invalid: '480 declared',
    malformed: '480 declared',
    media: '480 declared',
  });
  expect(await refusals({ 404: response(problem) })).toMatchObject({ invalid: '400 invalid-body' });
});

test('answers under a range or default with the status that fits', async () => {
  const declared = {
    invalid: '400 declared',
    malformed: '400 declared',
    conflict: '400 declared',
    media: '400 declared',
    credentials: '401 declared',
  };
  expect(await refusals({ '4XX': response(problem) })).toEqual(declared);
  expect(await refusals({ default: response(problem) })).toEqual(declared);
});

test('marks what no response declares, or what its schema leaves no body for', async () => {
  const marked = {
    invalid: '400 invalid-body',
    malformed: '400 malformed-body',
    conflict: '400 duplicate-key',
    media: '400 unsupported-media-type',
    credentials: '401 missing-credentials',
  };
  expect(await refusals({})).toEqual(marked);
  expect(
    await refusals({ 400: response(object({ code: { type: 'string', pattern: '^(?!.)x$' } })) }),
  ).toEqual({
    invalid: '400 not-mocked',
    malformed: '400 not-mocked',
    conflict: '400 not-mocked',
    media: '400 not-mocked',
    credentials: '401 missing-credentials',
  });
});

test('gives an undeclared error the shape that the document gives its errors', async () => {
  const client = await mockOf({ ...create({ 422: response(problem) }) });
  expect(await client.get('/nowhere')).toMatchObject({
    status: 404,
    body: { title: 'unknown path', detail: expect.any(String) },
  });
  expect(await client.post('/orders', {})).toMatchObject({
    status: 401,
    body: { title: 'missing credentials' },
  });
  const plain = await mockOf(create({}));
  expect(await plain.get('/nowhere')).toMatchObject({
    status: 404,
    body: { type: 'about:blank', title: 'Not Found', status: 404, condition: 'unknown-path' },
  });
});

test('says why also where errors are declared without a schema or without content', async () => {
  const paths = (responses: Record<string, unknown>): Parts => ({
    paths: { '/orders': { get: { parameters: [{ name: 'n', in: 'query', schema: integer }], responses } } },
  });
  const reason = 'The request is not valid: the query parameter "n" must be an integer, but is a string.';
  const ok = { 200: response(text) };
  for (const [type, responses] of Object.entries({
    'application/json': { ...ok, 400: { description: '', content: { 'application/json': {} } } },
    'application/problem+json': { ...ok, 400: response() },
  })) {
    const { status, body, headers } = await (await mockOf(paths(responses))).get('/orders?n=x');
    expect([status, headers.get('content-type'), headers.get('cloche-undeclared')]).toEqual([
      400,
      type,
      null,
    ]);
    expect(body).toMatchObject({ status: 400, detail: reason, condition: 'invalid-parameter' });
  }
  const other = { ...ok, 400: response(), 422: response(problem) };
  expect(await (await mockOf(paths(other))).get('/orders?n=x')).toMatchObject({
    status: 400,
    body: undefined,
  });
});

test('lets no policy override a conflict that the document declares', async () => {
  const client = await mockOf(create({ 409: response(problem) }), { policy: { 'duplicate-key': 'replace' } });
  await client.post('/orders?key=k', { id: 1 });
  expect((await client.post('/orders?key=k', { id: 1 })).status).toBe(409);
});

test('keeps API keys of the query out of the log', async () => {
  const targets: string[] = [];
  const client = await mockOf(create({}), { log: ({ target }) => targets.push(target) });
  await client.post('/orders?a=1&key=s3cret&b=2', { id: 1 });
  await client.post('/orders?k%65y=s3cret', { id: 2 });
  expect(targets).toEqual(['/orders?a=1&key=***&b=2', '/orders?k%65y=***']);
});

test('sends one challenge where the document requires the field', async () => {
  const headers = { 'WWW-Authenticate': { required: true, schema: text } };
  const client = await mockOf(create({ 401: response(problem, { headers }) }));
  expect((await client.post('/orders', {})).headers.get('www-authenticate')).toBe(
    'ApiKey in="query", name="key"',
  );
});
