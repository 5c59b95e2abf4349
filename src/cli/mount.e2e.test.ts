import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-mount-'));
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

/** Returns a document. All have an operation `create`, a schema `Item` and a scheme `auth`, which differ. */
function documentOf(
  name: string,
  { property, scheme, more = '' }: Record<string, string | undefined>,
): string {
  const content = "content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }";
  return `openapi: 3.1.0
info: { title: ${name}, version: '1' }
servers: [{ url: 'https://example.com/v1' }]
security: [{ auth: [] }]
x-cloche-policy: { duplicate-key: ${property === 'sku' ? 'replace' : 'conflict'} }
paths:
  /${name}:
    post:
      operationId: create
      requestBody: { required: true, ${content} }
      responses: { '201': { description: Created, ${content} } }
  /${name}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: read
      responses: { '200': { description: It, ${content} } }
components:
  securitySchemes: { auth: ${scheme} }
  schemas:
    Item: { type: object, required: [id, ${property}], properties: { id: { type: string }, ${property}: { type: string } } }
${more}`;
}

beforeAll(async () => {
  const more = '    Other: { minLength: long }\n';
  write('orders.yaml', documentOf('orders', { property: 'sku', scheme: '{ type: http, scheme: bearer }' }));
  write(
    'users.yaml',
    documentOf('users', { property: 'email', scheme: '{ type: apiKey, in: header, name: X-Key }', more }),
  );
  write(
    'cloche.yaml',
    'services:\n  orders: { document: orders.yaml, prefix: /orders }\n  users: { document: users.yaml, prefix: /api/users }\n',
  );
  await buildWhenStale();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('serves the documents of the services under their prefixes', { timeout: 60_000 }, async () => {
  const mock = await startMock(folder, ['--watch', '--log', 'lines']);
  const send = async (path: string, body: object | undefined, headers: object): Promise<unknown[]> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(mock.url + path, {
      ...init,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    return [response.status, await response.json()];
  };
  const bearer = { Authorization: 'Bearer any' };
  const key = { 'X-Key': 'any' };
  const order = { id: '1', sku: 'a' };
  const user = { id: '1', email: 'b' };
  expect(await send('/orders/orders', order, bearer)).toEqual([201, order]);
  expect(await send('/api/users/users', user, key)).toEqual([201, user]);
  expect(await send('/orders/orders/1', undefined, bearer)).toEqual([200, order]);
  // The schema, the scheme and the policy are those of the document.
  expect(await send('/api/users/users', order, key)).toMatchObject([
    400,
    { detail: expect.stringContaining('/email') },
  ]);
  expect(await send('/api/users/users', user, bearer)).toMatchObject([401, {}]);
  expect(await send('/orders/orders', order, bearer)).toMatchObject([201, order]);
  expect(await send('/api/users/users', user, key)).toMatchObject([409, {}]);
  expect(await send('/orders/v1/orders/1', undefined, bearer)).toMatchObject([404, {}]);
  // The log names the line of the broken clause in the file of the document.
  expect(await send('/__cloche/requests/4', undefined, {})).toMatchObject([
    200,
    { problems: [{ clause: { text: 'required: [id, email]', location: { file: 'users.yaml' } } }] },
  ]);
  expect((await fetch(`${mock.url}/__cloche/`)).status).toBe(200);
  await expect.poll(mock.output).toContain('users.create');
  expect(mock.output()).toContain('users.yaml is served under /api/users.');
  expect(mock.output()).toMatch(/^users\.yaml:\d+:\d+: components\.schemas\.Other\.minLength: /mu);

  const state = await runCloche(['state', '--mock', mock.url], { folder });
  expect([state.code, state.stdout]).toEqual([0, expect.stringContaining('/orders/orders')]);
  expect(state.stdout).toContain('/api/users/users');

  write('users.yaml', documentOf('users', { property: 'name', scheme: '{ type: http, scheme: bearer }' }));
  await expect.poll(mock.output).toContain('changed  POST /api/users/users: ');
  expect(await send('/api/users/users', { id: '2', name: 'c' }, bearer)).toMatchObject([201, {}]);
});

test('names the service whose document cannot be read', async () => {
  write(
    'broken.yaml',
    'services:\n  orders: { document: orders.yaml, prefix: /a }\n  users: { document: none.yaml, prefix: /b }\n',
  );
  const { code, stderr } = await runCloche(['mock', '--config', 'broken.yaml'], { folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining('"none.yaml (mounts in broken.yaml:3:')]);
});

test('refuses a mount without a prefix', async () => {
  const { code, stderr } = await runCloche(['mock', '--mount', 'orders.yaml'], { folder });
  expect([code, stderr]).toEqual([
    2,
    'Failed to read the option "--mount orders.yaml": it is no prefix with its document. Write it as --mount /orders=orders.yaml.\n',
  ]);
});
