import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { createServiceClient } from '../../fixtures/service-client.ts';
import { startMock } from '../../fixtures/start-mock.ts';

beforeAll(() => buildWhenStale());

const document = fileURLToPath(new URL('../../fixtures/documents/queries.yaml', import.meta.url));

test('mocks the methods and the query strings of a 3.2 document', async () => {
  const { url } = await startMock(tmpdir(), [document, '--no-watch', '--quiet']);
  const client = createServiceClient(url);
  expect(await client.send('QUERY /tasks', { title: 'a' })).toMatchObject({
    status: 200,
    body: [{ title: expect.any(String) }, {}],
  });
  expect(await client.send('QUERY /tasks', { titel: 'a' })).toMatchObject({ status: 400 });
  expect(await client.send('COPY /tasks')).toMatchObject({
    status: 200,
    body: { copied: expect.any(Number) },
  });
  // The parser of Node.js does not know this method.
  const notified = await client.send('NOTIFYALL /tasks');
  expect([notified.status, notified.headers.get('content-length')]).toEqual([204, null]);
  expect(await client.send('NOTIFYALL /tasks', { a: 1 })).toMatchObject({
    status: 501,
    body: { detail: expect.stringContaining('Node.js cannot read the content of a NOTIFYALL request') },
  });
  expect((await client.send('DELETE /tasks')).headers.get('allow')).toContain('QUERY, COPY, NOTIFYALL');
  expect(await client.get('/search?limit=5&words=a&words=b')).toMatchObject({ status: 200 });
  expect(await client.get('/search?limit=51')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('/limit must be at most 50') },
  });
  expect(await client.get(`/filter?${encodeURIComponent('{"n":1}')}`)).toMatchObject({ status: 200 });
  expect(await client.get('/filter?n=1')).toMatchObject({ status: 400 });
});
