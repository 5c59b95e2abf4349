import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { type MockClient, openMock, openPlantStore } from '../../../fixtures/mock-client.ts';
import type { ClientHeaders, ClientResponse } from '../../../fixtures/service-client.ts';
import type { JsonObject } from '../../json/value.ts';

const door = (id: number, width: number): JsonObject => ({ value: { id, width } });
const doors = contractOf({
  paths: {
    '/doors/{id}': {
      get: {
        operationId: 'getDoor',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'The door.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'width'],
                  properties: { id: { type: 'integer' }, width: { type: 'integer' } },
                },
                examples: {
                  narrow: door(1, 20),
                  wide: door(2, 200),
                  referred: { $ref: '#/components/examples/Referred' },
                  wrong: { value: { id: 'x' } },
                },
              },
            },
          },
          404: {
            description: 'There is none.',
            content: {
              'application/problem+json': {
                schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
                examples: { 'not there': { value: { title: 'No such door' } } },
              },
            },
          },
        },
      },
    },
  },
  components: { examples: { Referred: door(3, 90) } },
});

function openDoors(): Promise<MockClient> {
  return openMock(doors);
}

/** Status, content and the fields that matter of the answer to a request. */
function create({ post }: MockClient, id: number, headers?: ClientHeaders): Promise<ClientResponse> {
  return post('/plants', `{"id":${id},"name":"Basil"}`, headers);
}

test('answers a preferred status as the document declares it, and keeps nothing', async () => {
  const client = await openPlantStore();
  const { status, text, headers } = await create(client, 1, { prefer: 'code=400' });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({ error: 400, message: expect.any(String) });
  expect(headers.get('preference-applied')).toBe('code=400');
  expect(headers.has('cloche-undeclared')).toBe(false);
  const success = await create(client, 1, { prefer: 'code=200' });
  expect([success.status, success.body]).toEqual([
    200,
    expect.objectContaining({ name: expect.any(String) }),
  ]);
  expect((await create(client, 1)).status).toBe(200);
});

test('marks a preferred status that is not declared, with an error as the document has it', async () => {
  const client = await openPlantStore();
  const { status, text, headers } = await create(client, 1, { prefer: 'code=503' });
  expect([status, JSON.parse(text)]).toEqual([503, { error: 503, message: expect.any(String) }]);
  expect(headers.get('cloche-undeclared')).toBe('forced');
  const redirect = await create(client, 1, { prefer: 'code=302' });
  expect([redirect.status, redirect.text, redirect.undeclared]).toEqual([302, '', 'forced']);
  expect((await create(client, 1, { prefer: 'code=204' })).status).toBe(204);
});

test('refuses what is not valid whatever it prefers, as Prism does', async () => {
  const client = await openPlantStore();
  const invalid = await client.post('/plants', '{"id":1}', { prefer: 'code=200' });
  expect([invalid.status, invalid.headers.has('preference-applied')]).toEqual([400, false]);
  expect(invalid.text).toContain('name');
  expect((await create(client, 1, { prefer: 'code=200', authorization: '' })).status).toBe(401);
  expect((await client.get('/nowhere', { prefer: 'code=200' })).status).toBe(404);
});

test.each([
  ['code=abc', 'code=abc is no status from 200 to 599'],
  ['code=100', 'code=100 is no status from 200 to 599'],
  ['example=none', 'createPlant has no example=none'],
  ['example="no\\"ne"', 'createPlant has no example="no\\"ne"'],
])('leaves Prefer: %s aside, and says so', async (prefer, reason) => {
  const client = await openPlantStore();
  const { status, headers } = await create(client, 1, { prefer });
  expect([status, headers.get('cloche-ignored'), headers.has('preference-applied')]).toEqual([
    200,
    reason,
    false,
  ]);
  // It was carried out as any other.
  expect((await create(client, 1)).status).toBe(400);
  expect(client.mock.requests.list()[0]?.message).toBe(`Left aside: ${reason}.`);
});

test('applies the one of two preferences that can be met', async () => {
  const { status, headers } = await create(await openPlantStore(), 1, { prefer: 'code=400, example=none' });
  expect(status).toBe(400);
  expect(headers.get('preference-applied')).toBe('code=400');
  expect(headers.get('cloche-ignored')).toBe('createPlant has no example=none for 400');
});

test('has no word on preferences that are nobody’s here', async () => {
  const { status, headers } = await create(await openPlantStore(), 1, { prefer: 'return=minimal, wait=5' });
  expect(status).toBe(200);
  expect([headers.has('preference-applied'), headers.has('cloche-ignored')]).toEqual([false, false]);
});

test.each([
  ['example=wide', 200, { id: 2, width: 200 }, 'example=wide'],
  ['code=200, example=narrow', 200, { id: 1, width: 20 }, 'code=200, example=narrow'],
  ['example="not there"', 404, { title: 'No such door' }, 'example="not there"'],
  ['code=404', 404, { title: 'No such door' }, 'code=404'],
  ['example=referred', 200, { id: 3, width: 90 }, 'example=referred'],
])('answers Prefer: %s with the example that the document has', async (prefer, status, body, applied) => {
  const answer = await (await openDoors()).get('/doors/7', { prefer });
  expect([answer.status, answer.body]).toEqual([status, body]);
  expect(answer.headers.get('preference-applied')).toBe(applied);
  expect(answer.headers.has('cloche-undeclared')).toBe(false);
});

test('takes preferences from the query, as Prism does', async () => {
  const { status, text } = await (await openDoors()).get('/doors/7?__code=404&__example=not%20there');
  expect([status, JSON.parse(text)]).toEqual([404, { title: 'No such door' }]);
});

test('makes an answer up anew for each request that prefers it, and touches no state', async () => {
  const text = { type: 'string' };
  const user = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: text } };
  const content = { 'application/json': { schema: user, example: { id: 1, name: 'Ada' } } };
  const created = { 201: { description: 'Created.', content } };
  const paths = { '/users': { post: { requestBody: { content }, responses: created } } };
  const client = await openMock(contractOf({ paths }));
  const ask = (prefer: string): Promise<ClientResponse> =>
    client.post('/users', '{"id":7,"name":"Grace"}', { prefer });
  const [first, second] = [await ask('dynamic=true'), await ask('dynamic=true')];
  expect(first.body).toEqual({ id: expect.any(Number), name: expect.stringMatching(/^\S+ \S+/u) });
  expect(second.body).not.toEqual(first.body);
  expect(first.headers.get('cloche-sample')).toBe('generated');
  expect(first.headers.get('preference-applied')).toBe('dynamic=true');
  expect((await client.mock.state.collections()).filter(({ count }) => count > 0)).toEqual([]);
  expect((await ask('dynamic=false')).body).toEqual({ id: 7, name: 'Grace' });
  expect((await ask('dynamic=maybe')).headers.get('cloche-ignored')).toContain('neither true nor false');
});

test('marks an example that its own schema does not accept', async () => {
  const { text, headers } = await (await openDoors()).get('/doors/7', { prefer: 'example=wrong' });
  expect([JSON.parse(text), headers.get('cloche-undeclared')]).toEqual([{ id: 'x' }, 'forced']);
});

test('answers by a rule before it looks at the request, with what the rule says', async () => {
  const client = await openPlantStore({
    faults: [{ answer: { status: 429, retryAfter: 7, headers: { 'X-Limit': '10' } }, times: 1 }],
  });
  const limited = await create(client, 1, { authorization: '' });
  expect([limited.status, limited.headers.get('retry-after'), limited.headers.get('x-limit')]).toEqual([
    429,
    '7',
    '10',
  ]);
  expect(limited.undeclared).toBe('forced');
  expect((await create(client, 1)).status).toBe(200);
  expect(client.mock.requests.list()[0]).toMatchObject({
    verdict: 'forced',
    fault: 'fault-1',
    undeclared: 'forced',
    message: 'This answer was forced by the rule "fault-1".',
  });
});

test('sends a 429 with Retry-After and a 401 with WWW-Authenticate whatever a rule says', async () => {
  const client = await openPlantStore();
  const limited = await create(client, 1, { 'cloche-fault': 'status=429' });
  expect(limited.headers.get('retry-after')).toBe('1');
  const turnedAway = await create(client, 1, { 'cloche-fault': 'status=401' });
  expect(turnedAway.headers.get('www-authenticate')).toBe('Bearer');
});

test('sends the content of a rule, and marks one that the document does not declare', async () => {
  const body = { error: 400, message: 'No.' };
  const client = await openPlantStore({ faults: [{ id: 'a', answer: { status: 400, body } }] });
  const declared = await create(client, 1);
  expect([declared.body, declared.headers.has('cloche-undeclared')]).toEqual([body, false]);
  client.mock.faults.put({ id: 'a', answer: { status: 400, body: ['No.'] } });
  const other = await create(client, 1);
  expect([other.body, other.undeclared]).toEqual([['No.'], 'forced']);
});

test('reaches paths and methods that the document does not have', async () => {
  const client = await openPlantStore({ faults: [{ path: '/nowhere', answer: { status: 503 } }] });
  const { status, text } = await client.get('/nowhere?a=1');
  expect([status, JSON.parse(text)]).toEqual([503, { error: 503, message: expect.any(String) }]);
  expect((await client.get('/elsewhere')).status).toBe(404);
});

test('lets preflights pass, so that a page gets as far as the fault', async () => {
  const client = await openPlantStore({ faults: [{ answer: { status: 503 } }] });
  const headers = { origin: 'http://x', 'access-control-request-method': 'POST' };
  expect((await client.send('OPTIONS /plants', undefined, headers)).status).toBe(204);
  expect(client.mock.faults.list()[0]?.seen).toBe(0);
});

test('has a request that brings its own fault counted for no rule', async () => {
  const client = await openPlantStore({ faults: [{ answer: { status: 503 } }] });
  expect((await create(client, 1, { 'cloche-fault': 'status=404' })).status).toBe(404);
  expect(client.mock.faults.list()[0]?.seen).toBe(0);
});

test('refuses a request whose Cloche-Fault cannot be read, and says why', async () => {
  const client = await openPlantStore({ faults: [{ answer: { status: 503 }, times: 1 }] });
  const { status, headers, text } = await create(client, 1, { 'cloche-fault': 'slow' });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { error: 400, message: expect.stringContaining('Cloche-Fault cannot be read: it says "slow"') },
  ]);
  expect(headers.get('cloche-ignored')).toContain('Cloche-Fault: it says "slow"');
  expect((await create(client, 1)).status).toBe(503);
  expect((await create(client, 1)).status).toBe(200);
});

test('says so where a fault names an example that is not there', async () => {
  const client = await openMock(doors, { faults: [{ answer: { status: 404, example: 'toString' } }] });
  const { headers } = await client.get('/doors/1');
  expect(headers.get('cloche-ignored')).toBe('the rule "fault-1": getDoor has no example=toString for 404');
  const other = await client.get('/doors/1', { 'cloche-fault': 'status=404, example="not there"' });
  expect([other.status, other.headers.has('cloche-ignored')]).toEqual([404, false]);
});

test('leaves a parameter of the query to the operation that declares it', async () => {
  const parameters = [{ name: '__code', in: 'query', schema: { type: 'string' } }];
  const client = await openMock(
    contractOf({ paths: { '/doors': { post: { parameters, responses: { 200: { description: 'ok' } } } } } }),
  );
  expect((await client.post('/doors?__code=404')).status).toBe(200);
});

test('answers HEAD with no content, forced or not', async () => {
  const client = await openPlantStore({ faults: [{ answer: { status: 503 } }] });
  expect(await client.send('HEAD /plants')).toMatchObject({ status: 503, text: '' });
});

const contact = {
  type: 'object',
  properties: { email: { type: 'string', format: 'email' }, city: { type: 'string' } },
};
const answerOf = (content: JsonObject): JsonObject => ({ description: '', content });
const booking = contractOf({
  paths: {
    '/collection-time': {
      post: {
        responses: {
          201: answerOf({ 'application/json': { schema: contact } }),
          202: answerOf({ 'application/json': { schema: contact } }),
          203: answerOf({ 'application/json': { schema: contact, example: { city: 'Łódź' } } }),
          206: answerOf({ 'image/png': {} }),
          409: answerOf({ 'application/json': { schema: contact } }),
        },
      },
    },
  },
});

test('shows as much in a preferred response as in the plain one', async () => {
  const client = await openMock(booking);
  const post = (headers: ClientHeaders): Promise<ClientResponse> =>
    client.post('/collection-time', undefined, headers);
  const plain = await post({});
  expect(plain.body).toEqual({ email: expect.any(String), city: expect.any(String) });
  expect((await post({ prefer: 'code=201' })).text).toBe(plain.text);
  const other = await post({ prefer: 'code=202' });
  expect([other.status, other.text, other.headers.get('cloche-sample')]).toEqual([
    202,
    plain.text,
    'generated',
  ]);
  expect((await post({ prefer: 'code=202' })).text).toBe(other.text);
});

test('shows the example of a preferred response, a file, and an error as they are', async () => {
  const client = await openMock(booking);
  const prefer = (code: number): Promise<ClientResponse> =>
    client.post('/collection-time', undefined, { prefer: `code=${code}` });
  expect((await prefer(203)).text).toBe('{"city":"Łódź"}');
  expect((await prefer(206)).text).toContain('PNG');
  expect((await prefer(409)).headers.get('cloche-sample')).toBeNull();
});
