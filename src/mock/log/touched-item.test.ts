import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { openMock, openPlantStore } from '../../../fixtures/mock-client.ts';
import type { Mock } from '../mock.ts';

const projects = 'fixtures/documents/projects.yaml';

function itemsOf(mock: Mock): readonly unknown[] {
  return mock.requests.list().map(({ item }) => item);
}

test('knows the item that a request named by its path, also where it was refused', async () => {
  const { mock, send } = await openMock(projects);
  await send('POST /projects', { name: 'Kitchen' });
  for (const line of ['GET /projects/1', 'GET /projects/1?x=y', 'DELETE /projects/1', 'GET /projects/2']) {
    await send(line);
  }
  await send('PUT /projects/1', { name: 7 });
  expect(mock.requests.list({ item: '/projects/1' }).map(({ status }) => status)).toEqual([
    201, 200, 200, 204, 400,
  ]);
  expect(mock.requests.list({ item: '/projects/2' }).map(({ status }) => status)).toEqual([404]);
});

test('knows the item that a create made, and none of a list', async () => {
  const { mock, send } = await openMock(projects);
  await send('POST /projects', { name: 'Kitchen' });
  await send('POST /projects/1/tasks', { title: 'Paint' });
  await send('POST /projects', { name: 7 });
  await send('GET /projects');
  await send('GET /projects/1/tasks');
  expect(itemsOf(mock)).toEqual([
    { collection: '/projects', key: '1' },
    { collection: '/projects/1/tasks', key: '1' },
    undefined,
    undefined,
    undefined,
  ]);
});

test('knows the item of a key that the client made, and of one that is taken, from the body', async () => {
  const { mock, send } = await openPlantStore();
  await send('POST /plants', { id: 7, name: 'Basil' });
  await send('POST /plants', { id: 7, name: 'Mint' });
  await send('POST /plants', { id: 7, name: 7 });
  expect(mock.requests.list({ item: '/plants/7' }).map(({ status }) => status)).toEqual([200, 400]);
});

const text = { type: 'string' };
const file = { type: 'object', required: ['name'], properties: { name: text, size: { type: 'integer' } } };
const content = { 'application/json': { schema: file } };
const answer = { responses: { '200': { description: 'It.', content } } };
const files = contractOf({
  servers: [{ url: '/v1' }],
  paths: {
    '/files/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
      get: answer,
      put: { requestBody: { required: true, content }, ...answer },
    },
    '/settings': { get: answer, put: { requestBody: { required: true, content }, ...answer } },
  },
});

test.each([
  ['a/b', 'a%2Fb'],
  ['%2F', '%252F'],
  ['__proto__', '__proto__'],
  ['\u202Egnp.exe', '%E2%80%AEgnp.exe'],
])('tells the key %j of a path that encodes it', async (key, segment) => {
  const { mock, send } = await openMock(files);
  await send(`PUT /v1/files/${segment}`, { name: key });
  await send('PUT /files/other', { name: 'other' });
  expect(itemsOf(mock)).toEqual([
    { collection: '/files', key },
    { collection: '/files', key: 'other' },
  ]);
  expect(mock.requests.list({ item: `/files/${segment}` })).toHaveLength(1);
});

test('knows a singleton by its path, which has no key', async () => {
  const { mock, send } = await openMock(files);
  await send('GET /v1/settings');
  expect(itemsOf(mock)).toEqual([{ collection: '/settings' }]);
  expect(mock.requests.list({ item: '/settings' })).toHaveLength(1);
});

test('says of a request that is not about an item what its own is', async () => {
  const { mock, send } = await openMock(projects);
  await send('GET /projects/2');
  const { message } = mock.requests.verify({ method: 'GET', item: '/projects/1' });
  expect(message).toContain('Expected GET (item /projects/1) at least once');
  expect(message).toContain('its item is /projects/2, not /projects/1');
});
