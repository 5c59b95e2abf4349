import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { buildContract } from '../contract/build.ts';
import { readDocument } from '../document/read-document.ts';
import { createMock } from './create-mock.ts';
import type { Mock } from './mock.ts';

const serverMadeId = fileURLToPath(new URL('../../fixtures/documents/server-made-id.yaml', import.meta.url));
const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));

async function openMock(path: string, url: string): Promise<Mock> {
  const document = await readDocument(path, { followReferences: false });
  return createMock(buildContract({ ...document, root: { ...document.root, servers: [{ url }] } }));
}

const init = {
  method: 'POST',
  headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  body: '{"id":1,"name":"Fern"}',
};

test('answers with and without the path of a server, from one state', async () => {
  const mock = await openMock(plantStore, 'https://api.example.com/v1');
  expect((await mock.fetch('/v1/plants', init)).status).toBe(200);
  expect((await mock.fetch('/plants', init)).status).toBe(400);
  expect((await mock.fetch('/v1/plants', { method: 'GET' })).status).toBe(405);
  for (const path of ['/v1', '/v1/', '/v1/else', '/v2/plants', '/v1plants', '/v1/v1/plants']) {
    expect((await mock.fetch(path, init)).status).toBe(404);
  }
});

test('takes a declared path for itself where it begins as the path of a server does', async () => {
  const mock = await openMock(plantStore, 'https://api.example.com/plants');
  expect((await mock.fetch('/plants', init)).status).toBe(200);
  expect((await mock.fetch('/plants/plants', init)).status).toBe(400);
});

test('places what it creates where the client has asked for it', async () => {
  const mock = await openMock(serverMadeId, '/v1');
  const answer = await mock.fetch('/v1/tickets', { ...init, body: '{"subject":"a","text":"b"}' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toMatch(/^\/v1\/tickets\/[^/]+$/u);
});

test('leads a client back to the origin that it asks, without a port too', async () => {
  const content = {
    'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
  };
  const headers = { Location: { required: true, schema: { type: 'string', format: 'uri' } } };
  const responses = { 201: { description: 'Created', content, headers } };
  const contract = contractOf({ paths: { '/notes': { post: { requestBody: { content }, responses } } } });
  const mock = await createMock(contract);
  const listener = await mock.listen();
  const dispatcher = await mock.dispatcher();
  const asked = [
    await mock.fetch('https://api.example.com/notes', { ...init, body: '{"id":1}' }),
    await request('https://api.example.com/notes', { ...init, body: '{"id":2}', dispatcher }),
    await fetch(`${listener.url}/notes`, { ...init, body: '{"id":3}' }),
  ];
  await mock.close();
  const locations = asked.map(({ headers: fields }) =>
    fields instanceof Headers ? fields.get('location') : fields['location'],
  );
  expect(locations).toEqual([
    'https://api.example.com/notes/1',
    'https://api.example.com/notes/2',
    `${listener.url}/notes/3`,
  ]);
});
