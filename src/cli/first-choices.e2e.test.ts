import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-first-'));
const inFolder = (name: string): string => join(folder, name);
const document = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));

/** Answers every request with the status that its first path segment names. */
const service = createServer((request, response) => {
  request.resume().once('end', () => {
    const [, status = '404'] = /^\/(\d{3})/u.exec(request.url ?? '') ?? [];
    response.writeHead(Number(status), { 'content-type': 'application/json' }).end('{}');
  });
});
let port = 0;

beforeAll(async () => {
  await buildWhenStale();
  for (const name of ['empty', 'with document', 'configured']) mkdirSync(inFolder(name));
  copyFileSync(document, inFolder('with document/my api.yaml'));
  writeFileSync(inFolder('with document/other.yaml'), 'name: openapi\n');
  writeFileSync(inFolder('configured/cloche.yaml'), `document: ${document}\n`);
  writeFileSync(
    inFolder('open.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Open', version: '1' },
      servers: [{ url: 'https://api.example/v1' }],
      paths: { '/items': { get: { responses: { 200: { description: 'All' } } } } },
    }),
  );
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  ({ port } = service.address() as AddressInfo);
}, 2 * minute);
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['empty', ['cloche mock ', 'cloche test http://127.0.0.1:8080 ', 'cloche explain ']],
  [
    'with document',
    [
      "cloche mock 'my api.yaml' ",
      "cloche test http://127.0.0.1:8080 -d 'my api.yaml' ",
      "cloche explain 'my api.yaml' ",
    ],
  ],
  ['configured', ['mock', 'test', 'explain'].map((each) => `cloche ${each} --config cloche.yaml `)],
])('cloche alone shows three choices in the folder "%s"', { timeout: minute }, async (name, commands) => {
  const { code, stdout, stderr } = await runCloche([], { folder: inFolder(name) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect(lines.map((line, index) => line.startsWith(`  ${commands[index]} `))).toEqual([true, true, true]);
  expect(stdout).toMatch(/\ncloche --help lists all commands.*\n$/u);
});

test('cloche alone names npx if npx runs it', { timeout: minute }, async () => {
  const { stdout } = await runCloche([], { folder: inFolder('empty'), env: { npm_command: 'exec' } });
  expect(stdout).toMatch(/^ {2}npx cloche mock /mu);
});

/** `PORT` is the port of the service. */
const errors = [
  [2, ['mock', 'my ap.yaml'], 'there is no such file. Perhaps "my api.yaml" was meant.'],
  [2, ['explain', 'nowhere.yaml'], 'there is no such file. The folder has "my api.yaml".'],
  [2, ['explain', '../nowhere.yaml'], 'there is no such file. The folder has "../open.json".'],
  [2, ['explain', '.'], 'it is a folder. The folder has "./my api.yaml".'],
  [
    2,
    ['mock', '--port', 'PORT'],
    /another program has the port\. (\d+) is free: choose it with --port \1\./u,
  ],
  [
    3,
    ['test', 'http://127.0.0.1:1', '-d', 'my api.yaml', '--token', 'x'],
    'with --wait-for-service 30, or start a mock',
  ],
  [3, ['learn', 'http://127.0.0.1:1', '-d', '../open.json'], 'with --wait-for-service 30, or start a mock'],
  [
    3,
    ['test', 'http://127.0.0.1:1', '--token', 'x'],
    "No document was given, so that of the example was used: give the one of the service with -d 'my api.yaml'.",
  ],
  [
    3,
    ['test', 'http://127.0.0.1:PORT', '-d', '../open.json'],
    /have the path \/v1: run cloche test http:\/\/127\.0\.0\.1:\d+\/v1 with the same options\./u,
  ],
  [
    3,
    ['learn', 'http://127.0.0.1:PORT', '-d', '../open.json'],
    /have the path \/v1: run cloche learn http:\/\/127\.0\.0\.1:\d+\/v1 with the same options\./u,
  ],
  [
    3,
    ['test', 'http://127.0.0.1:PORT/401', '-d', '../open.json'],
    'with 401, but the document declares no security. Declare its security in the document, or send the credentials with --header "Authorization: Bearer TOKEN".',
  ],
  [
    3,
    ['test', 'http://127.0.0.1:PORT/403', '-d', 'my api.yaml', '--token', 'x'],
    'it rejected the token with 403. Pass a token that it accepts with --token.',
  ],
] as const;

test.each(errors)(
  'ends with %i for cloche %j, and names what to do next',
  { timeout: minute },
  async (exitCode, words, remedy) => {
    const { code, stderr } = await runCloche(
      words.map((word) => word.replace('PORT', String(port))),
      { folder: inFolder('with document') },
    );
    const isNamed = typeof remedy === 'string' ? stderr.includes(remedy) : remedy.test(stderr);
    expect({ code, stderr, isNamed }).toEqual({ code: exitCode, stderr, isNamed: true });
  },
);
