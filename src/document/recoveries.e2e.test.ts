import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';

const sloppy = `openapi: 3.0.3
info: { title: Sloppy, version: "1" }
paths:
  /items/{id}:
    get:
      parameters: [{ name: id, in: path, required: false, schema: { type: string } }]
      responses: { "200": { description: OK, content: { text/plain: {} } } }
  /items/{key}:
    get:
      parameters: [{ name: key, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: OK, content: { application/json: { schema: { type: integer } } } } }
  /status:
    get:
      security: [{ nowhere: [] }]
      responses: { "200": { description: OK, content: { text/plain: { schema: { type: string } } } } }
  /sheet:
    get:
      responses: { "200": { description: OK, content: { xls: {} } } }
`;

let folder = '';
beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), 'cloche-'));
  await writeFile(join(folder, 'sloppy.yaml'), sloppy);
});
afterAll(() => rm(folder, { recursive: true }));

const cloche = (...words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

const warnings = [
  'sloppy.yaml:6:42: paths./items/{id}.get.parameters[0].required: must be true, but is false; treated as required.',
  'sloppy.yaml:8:3: paths./items/{key}: is the same path as /items/{id} with other parameter names; the first of equal operations is used; runs do not test it.',
  'sloppy.yaml:14:20: paths./status.get.security[0].nowhere: undeclared security scheme; its credentials are not checked.',
  'sloppy.yaml:18:57: paths./sheet.get.responses.200.content.xls: is not a media type; the media type is ignored; runs do not test it.',
];

test('explains a document with errors, and names each at its line', async () => {
  const { code, stdout, stderr } = await cloche('explain', 'sloppy.yaml');
  expect([code, stderr]).toEqual([0, `${warnings.join('\n')}\n`]);
  expect(stdout).toContain('What is wrong in it');
  const { warnings: listed, operations } = JSON.parse(
    (await cloche('explain', 'sloppy.yaml', '--json')).stdout,
  );
  expect(listed).toMatchObject([{ line: 6 }, { line: 8, isUnclear: true }, { line: 14 }, { line: 18 }]);
  expect(operations.map((operation: { isUnclear?: true }) => operation.isUnclear)).toEqual([
    true,
    true,
    undefined,
    true,
  ]);
});

test.each(['explain', 'mock', 'test', 'bundle'])(
  '%s refuses it where it is told to be strict',
  async (command) => {
    const document = command === 'test' ? ['--document'] : [];
    const { code, stdout, stderr } = await cloche(command, ...document, 'sloppy.yaml', '--strict-document');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('it has 4 problems. Fix each of them.');
  },
);

test('reports nothing about the parts that an error makes ambiguous, and says so', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(url === '/status' ? 200 : 500, { 'content-type': 'text/plain' }).end('fine');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // `as`: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const { code, stdout } = await cloche(
    'test',
    `http://127.0.0.1:${port}`,
    '-d',
    'sloppy.yaml',
    '--suite',
    'samples',
    '--verbose',
    '-H',
    'Authorization: Bearer t',
  );
  server.close();
  expect([code, stdout]).toEqual([0, expect.stringContaining('PASS')]);
  expect(asked).toContain('/status');
  expect(asked.some((url) => url?.startsWith('/items') || url === '/sheet')).toBe(false);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
    'NOT TESTED: GET /sheet, because of the error in sloppy.yaml:18.',
  );
});
