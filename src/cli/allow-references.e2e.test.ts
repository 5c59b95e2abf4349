import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche, runScript } from '../../fixtures/run-cloche.ts';
import type { JsonValue } from '../json/value.ts';

const minute = 60_000;
const packageFolder = fileURLToPath(new URL('../../', import.meta.url));
/** Which may be a link to those of another place. */
const packagesFolder = realpathSync(join(packageFolder, 'node_modules'));
const above = realpathSync(mkdtempSync(join(tmpdir(), 'cloche-references-')));
const folder = join(above, 'documents');
const outside = join(above, 'outside.json');
const secret = 'what-only-stands-outside';
let server: Server;
let host = '';
/** What was asked of the server, which no document may reach. */
const asked: string[] = [];

beforeAll(async () => {
  await buildWhenStale();
  mkdirSync(folder);
  writeFileSync(outside, JSON.stringify({ type: 'object', description: secret }));
  writeFileSync(join(folder, 'parts.json'), JSON.stringify({ thing: { type: 'object' } }));
  symlinkSync(outside, join(folder, 'link.json'));
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const location = moved.get(request.url ?? '');
    if (location !== undefined) {
      response.writeHead(302, { Location: location }).end();
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(served.get(request.url ?? '') ?? { type: 'object', description: secret }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  host = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 2 * minute);

afterAll(async () => {
  rmSync(above, { recursive: true, force: true });
  await new Promise((resolve) => server.close(resolve));
});

const served = new Map<string, JsonValue>();
const moved = new Map([['/moved', pathToFileURL(outside).href]]);

/** Ways to name what no document may reach. */
function spellings(): readonly string[] {
  return [
    outside,
    pathToFileURL(outside).href,
    '../outside.json',
    '../outside.json#/type',
    './../outside.json',
    '%2e%2e/outside.json',
    '..%2Foutside.json',
    'x/../../outside.json',
    'link.json',
    '/dev/null',
    `${host}/thing.json`,
    `${host}/moved`,
    `//${host.slice('http://'.length)}/thing.json`,
  ];
}

/** The content of a response with a `$ref` in each place where it is data, and the first two with one that is followed. */
function contentsWith(reference: string): readonly JsonValue[] {
  const data = { $ref: reference };
  const nested = { deep: [{ $ref: reference }] };
  const part = { 'x-on-a-schema': nested, $ref: 'parts.json#/thing' };
  const named = { type: 'string', enum: [reference] };
  return [
    { schema: part, example: data },
    { schema: part, examples: { one: { value: nested } } },
    { schema: { type: 'object', example: data } },
    { schema: { type: 'object', examples: [data, nested] } },
    { schema: { type: 'object', default: data } },
    { schema: { enum: [data] } },
    { schema: { const: data } },
    { schema: { type: 'object', required: ['a'], properties: { a: { default: nested, 'x-b': data } } } },
    { schema: { type: 'object', required: ['$ref'], properties: { $ref: named } } },
    { schema: { type: 'array', minItems: 1, items: { const: nested } } },
  ];
}

/** A document in which every reference is data, in every place that may hold any. */
function documentWith(references: readonly string[]): JsonValue {
  const all = references.map((reference) => ({ $ref: reference }));
  const [data = {}] = all;
  const operations = references.flatMap((reference, spelling) =>
    contentsWith(reference).map((content, place) => [`/samples/${spelling}/${place}`, content] as const),
  );
  return {
    openapi: '3.1.0',
    info: { title: 'References', version: '1', 'x-on-info': data },
    'x-at-the-root': all,
    paths: Object.fromEntries(
      operations.map(([path, content]) => [
        path,
        {
          'x-on-a-path': data,
          get: {
            'x-on-an-operation': all,
            parameters: [
              { name: 'q', in: 'query', schema: { type: 'object', default: data }, example: data },
            ],
            responses: {
              '200': {
                'x-on-a-response': data,
                description: 'OK',
                headers: { 'X-Kind': { example: all[1] ?? data, schema: { type: 'object', default: data } } },
                content: { 'application/json': content },
              },
            },
          },
        },
      ]),
    ),
    components: {
      examples: { kept: { value: data } },
      links: { next: { operationRef: '#/paths/~1samples~10~10/get', requestBody: data } },
      schemas: { Unused: { default: data } },
    },
  };
}

interface Opened {
  readonly ended: Ended;
  readonly files: readonly string[];
  readonly addresses: readonly string[];
}

let lists = 0;

/** Runs something with Node told to list what is opened; files of the package itself aside. */
async function listOpenings(run: (env: Readonly<Record<string, string>>) => Promise<Ended>): Promise<Opened> {
  lists += 1;
  const list = join(above, `openings-${lists}.txt`);
  writeFileSync(list, '');
  const watcher = new URL('../../fixtures/list-openings.js', import.meta.url).href;
  const ended = await run({ NODE_OPTIONS: `--import=${watcher}`, CLOCHE_TEST_OPENINGS: list });
  const lines = readFileSync(list, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  // `as`: the watcher writes pairs.
  const openings = lines.map((line) => JSON.parse(line) as [kind: string, what: string]);
  const of = (wanted: string): readonly string[] => [
    ...new Set(openings.flatMap(([kind, what]) => (kind === wanted ? [what] : []))),
  ];
  const files = of('open').map((path) => (path.startsWith('file:') ? fileURLToPath(path) : path));
  return {
    ended,
    files: files.filter((path) => !path.startsWith(packageFolder) && !path.startsWith(packagesFolder)),
    addresses: [...of('connect'), ...of('look up')],
  };
}

/** What of a command's openings lies outside: no file out of the folder, no address, nothing asked of the server. */
function leavesOf({ files, addresses }: Opened): readonly string[] {
  return [...files.filter((path) => !path.startsWith(`${folder}/`)), ...addresses, ...asked.splice(0)];
}

function write(document: JsonValue): void {
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
}

test('opens nothing out of the folder for what is data, and answers with it as it stands', async () => {
  const references = spellings();
  write(documentWith(references));
  const mocked = await listOpenings(async (env) => {
    const mock = await startCommand(['mock', 'api.json', '--port', '0'], {
      folder,
      env,
      ready: /mocked on (\S+)\n/u,
    });
    const answers: unknown[] = [];
    for (const [spelling, reference] of references.entries()) {
      for (const place of contentsWith(reference).keys()) {
        const response = await fetch(`${mock.url}/samples/${spelling}/${place}`);
        answers.push([response.status, await response.json()]);
      }
    }
    const { code, output } = await mock.stop();
    return { code: code ?? -1, stdout: JSON.stringify(answers), stderr: output };
  });
  expect(leavesOf(mocked)).toEqual([]);
  // That the list is one: the document and what it refers to are on it.
  expect(mocked.files).toContain(join(folder, 'parts.json'));
  const inEach = references.flatMap(($ref) => {
    const data = { $ref };
    const nested = { deep: [data] };
    return [data, nested, data, data, data, data, data, { a: nested }, data, [nested]];
  });
  expect(JSON.parse(mocked.ended.stdout)).toEqual(inEach.map((body) => [200, body]));
});

const createMock = `import('cloche').then(async ({ createMock }) => {
  const mock = await createMock('api.json');
  await mock.fetch('/samples/0/0');
  await mock.close();
});`;

const readers = [
  ['cloche test', ['test', '-d', 'api.json', '--runs', '1', '--suite', 'samples']],
  ['cloche explain', ['explain', 'api.json']],
  ['cloche explain --json', ['explain', 'api.json', '--json']],
  ['cloche bundle', ['bundle', 'api.json']],
  ['cloche learn --dry-run', ['learn', 'http://127.0.0.1:9', '-d', 'api.json', '--dry-run']],
  ['createMock', undefined],
] as const;

test.each(drawCases(readers, 2))('opens nothing out of the folder: %s', async (_, words) => {
  write(documentWith(spellings()));
  const opened = await listOpenings((env) =>
    words === undefined ? runScript(createMock, { folder, env }) : runCloche(words, { folder, env }),
  );
  expect([opened.ended.code, opened.ended.stderr, leavesOf(opened)]).toEqual([0, '', []]);
  expect(opened.files).toContain(join(folder, 'parts.json'));
  expect(opened.ended.stdout).not.toContain(secret);
});

test('opens nothing but the service: cloche test --against mock', async () => {
  write(documentWith(spellings()));
  const service = host.replace('127.0.0.1', 'localhost');
  const words = ['test', service, '-d', 'api.json', '--against', 'mock', '--runs', '1'];
  const opened = await listOpenings((env) => runCloche([...words, '--suite', 'samples'], { folder, env }));
  // Each of its answers is another than the document's.
  expect([opened.ended.code, opened.files.filter((path) => !path.startsWith(`${folder}/`))]).toEqual([1, []]);
  expect(opened.addresses.filter((address) => !address.startsWith('localhost'))).toEqual([]);
  expect(asked.splice(0).filter((path) => /thing|moved/u.test(path))).toEqual([]);
});

test(
  'refuses what is a reference and leads out, and opens nothing of it',
  { timeout: 2 * minute },
  async () => {
    for (const reference of spellings()) {
      write({
        openapi: '3.1.0',
        info: { title: 'References', version: '1' },
        paths: {},
        components: { schemas: { Thing: { $ref: reference } } },
      });
      const opened = await listOpenings((env) => runCloche(['explain', 'api.json'], { folder, env }));
      expect([reference, opened.ended.code, leavesOf(opened)]).toEqual([reference, 2, []]);
      expect(opened.ended.stderr).toContain(`the reference ${JSON.stringify(reference)}`);
    }
  },
);

test('refuses it wherever a reference may stand, in a file that the document refers to too', async () => {
  const data = { $ref: '../outside.json' };
  const responses = { '200': { description: 'OK' } };
  const places: Readonly<Record<string, JsonValue>> = {
    path: { paths: { '/a': data } },
    parameter: { paths: { '/a': { get: { parameters: [data], responses } } } },
    header: { paths: { '/a': { get: { responses: { '200': { description: '', headers: { A: data } } } } } } },
    response: { paths: { '/a': { get: { responses: { '200': data } } } } },
    body: { paths: { '/a': { post: { requestBody: data, responses } } } },
    part: { components: { schemas: { A: { properties: { a: { items: data } } } } } },
    link: { components: { links: { A: data } } },
    example: { components: { examples: { A: data } } },
    'file of a file': { components: { schemas: { A: { $ref: 'far.json#/deep' } } } },
  };
  writeFileSync(join(folder, 'far.json'), JSON.stringify({ deep: { properties: { a: data } } }));
  for (const [place, rest] of Object.entries(places)) {
    const head = { openapi: '3.1.0', info: { title: 'References', version: '1' }, paths: {} };
    write({ ...head, ...Object(rest) });
    const opened = await listOpenings((env) => runCloche(['explain', 'api.json'], { folder, env }));
    expect([place, leavesOf(opened), opened.ended.stdout.includes(secret)]).toEqual([place, [], false]);
    expect([place, opened.ended.stderr]).toEqual([place, expect.stringContaining('"../outside.json"')]);
  }
});

test('lists what is opened where references are allowed, so that the list can be trusted', async () => {
  write({
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    paths: {},
    components: { schemas: { Near: { $ref: outside }, Far: { $ref: `${host}/thing.json` } } },
  });
  const opened = await listOpenings((env) =>
    runCloche(['explain', 'api.json', '--allow-references'], { folder, env }),
  );
  expect(opened.ended.code).toBe(0);
  expect(opened.files).toContain(outside);
  expect(opened.addresses).not.toEqual([]);
  expect(asked.splice(0)).toEqual(['/thing.json']);
});

test('never lets what came over the network name a file of this machine', async () => {
  const api = (target: string): JsonValue => ({
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    paths: {},
    components: { schemas: { Thing: { $ref: target } } },
  });
  served.set('/api.json', api(pathToFileURL(outside).href));
  served.set('/between.json', { $ref: pathToFileURL(outside).href });
  const words = ['explain', `${host}/api.json`, '--allow-references'];
  const direct = await listOpenings((env) => runCloche(words, { folder, env }));
  expect([direct.ended.code, direct.files]).toEqual([2, []]);
  expect(direct.ended.stderr).toContain('leads from the network to a file of this machine');
  write(api(`${host}/between.json`));
  const between = await listOpenings((env) =>
    runCloche(['explain', 'api.json', '--allow-references'], { folder, env }),
  );
  expect([between.ended.code, between.files.includes(outside)]).toEqual([2, false]);
});

test('follows a redirect to another origin, and to no file of this machine', async () => {
  const api = (target: string): JsonValue => ({
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    paths: {},
    components: { schemas: { Thing: { $ref: target } } },
  });
  const other = host.replace('127.0.0.1', 'localhost');
  moved.set('/elsewhere', `${other}/folder/between.json`);
  served.set('/folder/between.json', { properties: { near: { $ref: 'near.json' } } });
  moved.set('/folder/near.json', pathToFileURL(outside).href);
  served.set('/folder/api.json', api(pathToFileURL(outside).href));
  moved.set('/api', `${other}/folder/api.json`);
  write(api(`${host}/elsewhere`));
  const explain = (source: string): Promise<Opened> =>
    listOpenings((env) => runCloche(['bundle', source, '--allow-references'], { folder, env }));
  const redirects = [
    ['api.json', 'near.json'],
    [`${host}/moved`, 'moved'],
    [`${host}/api`, 'leads from the network to a file of this machine'],
  ] as const;
  for (const [source, words] of redirects) {
    const { ended, files } = await explain(source);
    expect([source, ended.code, ended.stderr]).toEqual([source, 2, expect.stringContaining(words)]);
    expect([source, files.includes(outside), ended.stdout + ended.stderr]).toEqual([
      source,
      false,
      expect.not.stringContaining(secret),
    ]);
  }
  // What it names is looked for where it came from in the end.
  moved.delete('/folder/near.json');
  served.set('/folder/near.json', { const: 'what the other origin serves' });
  asked.splice(0);
  const { ended } = await explain('api.json');
  expect([ended.code, ended.stderr, asked.splice(0)]).toEqual([
    0,
    '',
    ['/elsewhere', '/folder/between.json', '/folder/near.json'],
  ]);
  expect(ended.stdout).toContain('what the other origin serves');
});

test('reads no pipe and no device that a document names, allowed or not', { timeout: minute }, async () => {
  spawnSync('mkfifo', [join(folder, 'pipe.json')]);
  const cases = [
    ['pipe.json', [], 'cannot be followed: it is a pipe or a device'],
    ['/dev/zero', ['--allow-references'], 'cannot be followed: it is a pipe or a device'],
    ['file://elsewhere/etc/passwd', ['--allow-references'], 'cannot be followed'],
    ['..%2Foutside.json', ['--allow-references'], 'cannot be followed'],
  ] as const;
  for (const [$ref, options, reason] of cases) {
    write({
      openapi: '3.1.0',
      info: { title: 'References', version: '1' },
      paths: {},
      components: { schemas: { Thing: { $ref } } },
    });
    const { code, stderr } = await runCloche(['explain', 'api.json', ...options], { folder });
    expect([$ref, code, stderr]).toEqual([$ref, 2, expect.stringContaining(reason)]);
  }
});

test.each([
  [['explain', '/dev/zero'], 'it is longer than 256 MiB'],
  [['mock', '--data', '/dev/zero'], 'it is longer than 256 MiB'],
  [['test', '--policy', '/dev/zero'], 'it is longer than 256 MiB'],
  [['check', '/dev/zero'], 'it is longer than 256 MiB'],
  [['explain', 'file://elsewhere/api.json'], 'it names no file of this machine'],
  [['explain', 'http://['], 'it is no URL'],
])('says of what cannot be read to its end, or is not there, what it is: %s', async (words, reason) => {
  const { code, stderr } = await runCloche(words, { folder });
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test('reads a document from a pipe', () => {
  const api = JSON.stringify({ openapi: '3.1.0', info: { title: 'Piped', version: '1' }, paths: {} });
  const main = join(packageFolder, 'dist/src/cli/main.js');
  const { status, stdout } = spawnSync('sh', ['-c', `cat | node "${main}" explain /dev/stdin`], {
    input: api,
    encoding: 'utf8',
  });
  expect([status, stdout.split('\n', 1)]).toEqual([0, ['Piped 1 (/dev/stdin, OpenAPI 3.1)']]);
});

test('puts documents together in which a $ref or a $id is none that leads anywhere', async () => {
  const link = { parameters: { q: '1' }, operationId: 'read', 'x-note': { $ref: 'see the wiki' } };
  const properties = { $ref: { type: 'string' }, $id: { type: 'string' }, $$ref: { type: 'string' } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    paths: { '/a': { get: { operationId: 'read', responses: { '200': { description: 'OK' } } } } },
    components: {
      links: { next: link },
      schemas: {
        Near: { $ref: 'parts.json#/thing' },
        Named: { $id: `${host}/named.json`, type: 'object', properties },
        File: { $id: pathToFileURL(outside).href, items: { $ref: '#/components/schemas/Near' } },
      },
    },
  };
  write(document);
  asked.splice(0);
  const opened = await listOpenings((env) => runCloche(['bundle', 'api.json'], { folder, env }));
  expect([opened.ended.code, opened.ended.stderr, leavesOf(opened)]).toEqual([0, '', []]);
  const { components } = JSON.parse(opened.ended.stdout) as typeof document;
  expect(components.links).toEqual({ next: link });
  expect(components.schemas).toMatchObject({
    Named: document.components.schemas.Named,
    File: document.components.schemas.File,
  });
});
