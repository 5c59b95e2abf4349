import { expect, test } from 'vitest';
import { type MockClient, openMock } from '../../fixtures/mock-client.ts';
import type { JsonObject } from '../json/value.ts';

const shelf = { type: 'object', properties: { id: { type: 'integer' }, room: { type: 'string' } } };
const content = { 'application/json': { schema: shelf } };

/** Shelves, whose HEAD declares these statuses; one with the id 1 is there. */
async function mockOf(statuses: readonly (number | 'default')[]): Promise<MockClient> {
  const responses: JsonObject = Object.fromEntries(
    statuses.map((status) => [status, { description: 'An answer' }]),
  );
  const created = { 201: { description: 'Created', content } };
  const found = { 200: { description: 'A shelf', content }, 404: { description: 'None' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shelves', version: '1.0.0' },
    paths: {
      '/shelves': { post: { requestBody: { content }, responses: created } },
      '/shelves/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: found },
        head: { responses },
      },
    },
  };
  const client = await openMock(document);
  await client.post('/shelves', { room: 'cellar' });
  return client;
}

test.each([
  [[200, 404], 200],
  [[200], 200],
  [['default'], 200],
  [[404], 200],
  // The document says what the status of HEAD is in place of that of GET.
  [[204, 404], 204],
  [[204], 204],
  [[204, 'default'], 204],
] as const)(
  'a HEAD that declares %j does what GET does: %d for what is there, else 404',
  async (statuses, there) => {
    const client = await mockOf(statuses);
    const [found, missing] = await Promise.all(
      ['/shelves/1', '/shelves/2'].map((path) => client.send(`HEAD ${path}`)),
    );
    expect([found?.status, missing?.status]).toEqual([there, 404]);
    expect(found?.headers.has('cloche-sample')).toBe(false);
    // RFC 9110 §8.6: none in a 204.
    expect(found?.headers.has('content-length')).toBe(there === 200);
    expect([found?.text, missing?.text]).toEqual(['', '']);
  },
);
