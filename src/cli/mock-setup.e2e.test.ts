import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain, runCloche } from '../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-data-'));
const running: ChildProcess[] = [];

const project = `{ type: object, required: [name], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }`;
const settings = `{ type: object, properties: { theme: { type: string } } }`;
const media = (schema: string, example = ''): string =>
  `content: { application/json: { schema: ${schema}${example} } }`;
const document = `openapi: 3.1.0
info: { title: Projects, version: '1' }
paths:
  /projects:
    get:
      responses:
        '200': { description: All., ${media(`{ type: array, items: ${project} }`, ', example: [{ id: 7, name: Tea }]')} }
    post:
      requestBody: { required: true, ${media(project)} }
      responses: { '201': { description: New., ${media(project)} } }
  /projects/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: One., ${media(project)} }, '404': { description: None. } }
  /projects/{id}/tasks:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: All., ${media(`{ type: array, items: ${project} }`)} } } }
    post:
      requestBody: { required: true, ${media(project)} }
      responses: { '201': { description: New., ${media(project)} } }
  /me:
    get: { responses: { '200': { description: It., ${media(settings)} } } }
  /avatar:
    get: { responses: { '200': { description: It., content: { image/png: {} } } } }
    put: { requestBody: { content: { image/png: {} } }, responses: { '204': { description: Done. } } }
  /settings:
    get: { responses: { '200': { description: It., ${media(settings)} } } }
    put:
      requestBody: { required: true, ${media(settings)} }
      responses: { '200': { description: It., ${media(settings)} } }
`;

beforeAll(async () => {
  writeFileSync(join(folder, 'api.yaml'), document);
  await buildWhenStale();
});

afterAll(async () => {
  running.forEach((child) => child.kill('SIGKILL'));
  await rm(folder, { recursive: true, force: true });
});

/** Starts the command, and gives the address of the mock and what it printed until then. */
async function startMock(...words: readonly string[]): Promise<string> {
  const options = ['mock', 'api.yaml', '--port', '0', '--no-watch', ...words];
  const child = spawn(process.execPath, [clocheMain, ...options], { cwd: folder });
  running.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(String(bytes)) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the mock ended with ${code}`)));
  });
}

async function read(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

test('the mock starts with the items in the examples of its document, and with none for --data none', async () => {
  expect(await read(`${await startMock()}/projects`)).toEqual([{ id: 7, name: 'Tea' }]);
  expect(await read(`${await startMock('--data', 'none')}/projects`)).toEqual([]);
});

test('data seeds a singleton that is only read, and a file store keeps it and an upload', async () => {
  writeFileSync(join(folder, 'me.json'), '{"/me": {"theme": "dark"}}');
  const words = ['--data', 'me.json', '--store', 'file:me.db'];
  const first = await startMock(...words);
  expect(await read(`${first}/me`)).toEqual({ theme: 'dark' });
  const body = Uint8Array.of(0, 255, 128, 10);
  const headers = { 'content-type': 'image/png' };
  expect((await fetch(`${first}/avatar`, { method: 'PUT', headers, body })).status).toBe(204);
  const child = running.at(-1);
  child?.kill('SIGTERM');
  if (child !== undefined) await once(child, 'close');
  const second = await startMock(...words);
  const response = await fetch(`${second}/avatar`);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(body);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(await read(`${second}/me`)).toEqual({ theme: 'dark' });
  await runCloche(['reset', '--mock', second], { folder });
  expect((await fetch(`${second}/avatar`)).headers.get('cloche-sample')).toBe('generated');
  expect(await read(`${second}/me`)).toEqual({ theme: 'dark' });
});

test('nested rows and a singleton of a file are served, shown and changed by cloche state', async () => {
  writeFileSync(
    join(folder, 'rows.yaml'),
    '/projects: [{ id: 3, name: Milk }]\n/projects/3/tasks: [{ name: Pour }]\n/settings: { theme: dark }\n',
  );
  const url = await startMock('--data', 'rows.yaml');
  expect(await read(`${url}/projects/3/tasks`)).toEqual([{ id: 1, name: 'Pour' }]);
  expect(await read(`${url}/settings`)).toEqual({ theme: 'dark' });
  const state = async (...words: readonly string[]): Promise<string> =>
    (await runCloche(['state', ...words, '--mock', url], { folder })).stdout;
  expect((await state()).split('\n')).toEqual([
    '/projects          1 resource',
    '/settings          1 resource',
    '/projects/3/tasks  1 resource',
    '',
  ]);
  await state('put', '/settings', '{"theme":"light"}');
  expect(await state('get', '/settings')).toBe('{\n  "theme": "light"\n}\n');
  await state('delete', '/projects', '3');
  expect(await state('export')).toBe('{\n  "/settings": [\n    {\n      "theme": "light"\n    }\n  ]\n}\n');
});

test('a row without an item that it could belong to is named with its place, and nothing starts', async () => {
  writeFileSync(join(folder, 'orphans.yaml'), '/projects/9/tasks:\n  - name: Pour\n');
  const words = ['mock', 'api.yaml', '--port', '0', '--data', 'orphans.yaml'];
  const { code, stderr } = await runCloche(words, { folder });
  expect(stderr).toContain('orphans.yaml:2:5: there is no 9 in /projects that it could belong to');
  expect(code).toBe(2);
});
