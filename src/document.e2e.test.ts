import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { drawCases, runsAllCases } from '../fixtures/draw-cases.ts';
import { startCommand } from '../fixtures/proxy/start-command.ts';
import {
  both,
  expectToServe,
  get,
  ok,
  runWithMemory,
  schemaRef,
  writeDocument,
} from '../fixtures/written-document.ts';
import { clocheMain } from '../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-hostile-documents-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Json = Readonly<Record<string, unknown>>;

const text = { type: 'string' };

/** Thirty schemas that each are the next one twice. */
const thirty = Object.fromEntries([
  ...Array.from({ length: 30 }, (_, level) => [
    `S${level}`,
    { allOf: [schemaRef(`S${level + 1}`), schemaRef(`S${level + 1}`)] },
  ]),
  ['S30', { type: 'object', properties: { a: text } }],
]);

const circles = {
  Itself: { allOf: [schemaRef('Itself')] },
  One: schemaRef('Other'),
  Other: schemaRef('One'),
  Endless: { type: 'object', required: ['next'], properties: { next: schemaRef('Endless') } },
  Rows: { type: 'array', minItems: 1, items: schemaRef('Rows') },
  Turning: { anyOf: [schemaRef('Turning'), { not: schemaRef('Turning') }] },
  Tree: { type: 'object', properties: { left: schemaRef('Tree'), rows: { items: schemaRef('Tree') } } },
  Map: { type: 'object', additionalProperties: schemaRef('Map') },
};

const conditional: Json = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: ['a', 'b'] }, size: { type: 'integer' }, name: text },
  ...JSON.parse(
    '{"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["size"]},"else":{"required":["name"]}}',
  ),
};

const members: Json = JSON.parse('{"enum":[{"toString":1,"valueOf":2},{"constructor":3}]}');

interface Hostile {
  readonly paths: Json;
  readonly schemas?: Json;
  /** What a GET of `/asked` is answered with. */
  readonly asked?: (body: unknown) => boolean;
  /** How long its run may take. @defaultValue 5 */
  readonly seconds?: number;
}

const documents: Readonly<Record<string, Hostile>> = {
  'lists of 1,536 numbers, as embeddings are': {
    paths: {
      '/things': both({
        type: 'object',
        properties: { embedding: { type: 'array', items: { type: 'number' }, minItems: 1_536 } },
      }),
      '/asked': get({ type: 'array', minItems: 1_536, maxItems: 1_536, items: { type: 'number' } }),
    },
    asked: (body) => Array.isArray(body) && body.length === 1_536,
  },
  'a list of 10,000 integers': {
    paths: {
      '/things': both({ type: 'array', minItems: 10_000, items: { type: 'integer' } }),
      '/asked': get({ type: 'array', minItems: 10_000, items: { type: 'integer' } }),
    },
  },
  'texts and lists of 1,000,000,000': {
    // The run ends by itself after some 4 seconds, of which most are over before its first case.
    seconds: 60,
    paths: {
      '/things': both({
        type: 'object',
        required: ['a'],
        properties: { a: { ...text, minLength: 1_000_000_000 } },
      }),
      '/texts': get({ ...text, minLength: 1_000_000_000 }),
      '/lists': get({ type: 'array', minItems: 1_000_000_000, items: { type: 'integer' } }),
      '/objects': get({ type: 'object', minProperties: 1_000_000_000 }),
    },
  },
  '300 required parameters': {
    paths: {
      '/things': {
        get: {
          parameters: Array.from({ length: 300 }, (_, index) => ({
            name: `p${index}`,
            in: index % 2 === 0 ? 'query' : 'header',
            required: true,
            schema: { type: 'integer' },
          })),
          responses: { ...ok({ type: 'object' }), 400: { description: 'wrong' } },
        },
      },
    },
  },
  'thirty schemas that each are the next one twice': {
    paths: { '/things': both(schemaRef('S0')), '/asked': get(schemaRef('S0')) },
    schemas: thirty,
  },
  'members called toString, valueOf and constructor': {
    paths: {
      '/things': both({
        type: 'object',
        required: ['kind'],
        properties: { kind: members, mode: { const: { valueOf: 'x' } } },
      }),
      '/asked': get({ const: { toString: [1], valueOf: { constructor: 2 } } }),
    },
    asked: (body) => JSON.stringify(body) === '{"toString":[1],"valueOf":{"constructor":2}}',
  },
  'an answer under if, then and else': {
    paths: { '/things': both(conditional), '/asked': get(conditional) },
    asked: (body) => Object.keys(Object(body)).some((name) => name === 'size' || name === 'name'),
  },
  'what is required and nowhere described': {
    paths: { '/things': both({ type: 'object', required: ['name', 'size'] }) },
  },
  'schemas that lead back to themselves': {
    paths: Object.fromEntries(
      Object.keys(circles).flatMap((name) => [
        [`/${name}/sent`, both(schemaRef(name))],
        [`/${name}/got`, get(schemaRef(name))],
      ]),
    ),
    schemas: circles,
  },
  'schemas that nothing fits': {
    paths: Object.fromEntries(
      [
        { not: {} },
        { enum: [] },
        { ...text, minLength: 3, maxLength: 2 },
        { type: 'integer', minimum: 3, exclusiveMaximum: 3 },
        { allOf: [text, { type: 'integer' }] },
        { oneOf: [{}, {}] },
        { type: 'object', required: ['a'], additionalProperties: false },
        { type: 'array', minItems: 2, uniqueItems: true, items: { const: 1 } },
        { ...text, pattern: '(?!)' },
      ].map((schema, index) => [`/${index}`, { ...get(schema), ...both(schema) }]),
    ),
  },
};

/** Runs `cloche test` for some seconds, or for longer if it comes to no case in this time, as on a slow machine. */
async function testFor<Ended extends { readonly text: string }>(
  seconds: number,
  run: (words: readonly string[]) => Promise<Ended>,
): Promise<Ended> {
  const ended = await run(['--max-time', String(seconds)]);
  const isTooSlow = ended.text.includes('its time was over before') && seconds < 40;
  return isTooSlow ? testFor(seconds * 2, run) : ended;
}

test.each(drawCases(Object.entries(documents), 3))(
  'explains, mocks and tries %s, and what stands beside it',
  { timeout: 5 * minute },
  async (_, { paths, schemas, asked, seconds = 5 }) => {
    writeDocument(folder, paths, schemas);
    const explained = await runWithMemory(folder, ['explain', 'api.json'], 256);
    expect([explained.code, explained.text]).toEqual([0, expect.stringContaining('/plain')]);
    const tried = await testFor(seconds, (words) =>
      runWithMemory(folder, ['test', '-d', 'api.json', '--seed', '7', ...words], 512),
    );
    expect([tried.code, tried.text]).toEqual([0, expect.stringMatching(/^PASS/mu)]);
    const mock = await startCommand(['mock', 'api.json', '--port', '0'], {
      folder,
      ready: /mocked on (\S+)\n/u,
      env: { NODE_OPTIONS: '--max-old-space-size=256' },
    });
    const bodyOf = async (path: string): Promise<readonly [status: number, body?: unknown]> => {
      const response = await fetch(`${mock.url}${path}`);
      return [response.status, await response.json()];
    };
    for (const [path, item] of Object.entries(paths)) {
      if (!Object.hasOwn(Object(item), 'get')) continue;
      const answer = await fetch(`${mock.url}${path}`);
      // What cannot be made is said, as is what a request lacks.
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 400, 501])]);
    }
    const [status, body] = asked === undefined ? [200] : await bodyOf('/asked');
    expect([status, asked?.(body) ?? true]).toEqual([200, true]);
    expect(await bodyOf('/plain')).toEqual([200, 'here']);
    const { code, output } = await mock.stop();
    expect([code, output]).toEqual([0, expect.not.stringMatching(/Warning|itself failed|^ +at /mu)]);
  },
);

test.runIf(runsAllCases)(
  'explains, mocks and tries 1,000 operations in 512 MB',
  { timeout: 5 * minute },
  () => expectToServe(folder, 1_000, 512),
);

/** Runs a command with 512 MB of memory; one that does not end within a minute is killed. */
function runWithinMinute(
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: minute, killSignal: 'SIGKILL' } as const;
    const node = ['--max-old-space-size=512', clocheMain, ...words];
    const child = execFile(process.execPath, node, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, text: stdout + stderr });
    });
  });
}

/** Writes a document of two operations whose content has the first of these schemas. */
function writeSchemas(name: string, schemas: Json): string {
  const first = Object.keys(schemas)[0] ?? '';
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${first}` } } };
  const post = {
    operationId: 'createThing',
    requestBody: { required: true, content },
    responses: { 201: { description: 'created', content }, 400: { description: 'wrong' } },
  };
  const list = { type: 'array', items: { $ref: `#/components/schemas/${first}` } };
  const get = {
    operationId: 'listThings',
    parameters: [{ name: 'q', in: 'query', schema: { $ref: `#/components/schemas/${first}` } }],
    responses: { 200: { description: 'all', content: { 'application/json': { schema: list } } } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Multiplying', version: '1' },
    paths: { '/things': { post, get } },
    components: { schemas },
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  return `${name}.json`;
}

/** Returns thirty schemas that each contain the next one more than once. */
function multiply(shape: (next: Json) => Json, last: Json): Json {
  const levels = Array.from({ length: 30 }, (_, level) => [
    `S${level}`,
    shape({ $ref: `#/components/schemas/S${level + 1}` }),
  ]);
  return Object.fromEntries([...levels, ['S30', last]]);
}

const withText = { type: 'object', properties: { a: { type: 'string' } } };

const multiplying: readonly (readonly [keyword: string, schemas: Json])[] = [
  ['anyOf', multiply((next) => ({ anyOf: [next, next] }), withText)],
  ['oneOf', multiply((next) => ({ oneOf: [next, next] }), withText)],
  [
    'conditions',
    multiply(
      (next) => Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, next])),
      withText,
    ),
  ],
  ['properties', multiply((next) => ({ type: 'object', properties: { b: next, c: next } }), withText)],
  [
    'required',
    multiply(
      (next) => ({ type: 'object', required: ['b', 'c'], properties: { b: next, c: next } }),
      withText,
    ),
  ],
  ['items', multiply((next) => ({ type: 'array', minItems: 2, items: next }), withText)],
  ['pattern', { S: { type: 'string', pattern: '(((((a{1000}){1000}){1000}){1000}){1000})' } }],
];

test.each(drawCases(multiplying, 4))(
  'explains and tests schemas that multiply by %s in 512 MB',
  async (name, schemas) => {
    const file = writeSchemas(name, schemas);
    expect(await runWithinMinute(['explain', file])).toMatchObject({ code: 0 });
    const { code, text } = await testFor(5, (words) => runWithinMinute(['test', '-d', file, ...words]));
    expect(text).toContain('on the in-process mock');
    expect(code).toBe(0);
  },
  3 * minute,
);

test(
  'reports YAML aliases that multiply, however many other values the document has',
  async () => {
    const lines = ['openapi: 3.1.0', 'info: { title: T, version: "1" }', 'paths: {}', 'x-0: &a0 [1]'];
    for (let level = 1; level < 30; level += 1) {
      lines.push(`x-${level}: &a${level} { a: *a${level - 1}, b: *a${level - 1} }`);
    }
    const beside = Array.from({ length: 20_000 }, (_, index) => `  - ${index}`);
    writeFileSync(join(folder, 'aliases.yaml'), [...lines, 'x-beside:', ...beside, ''].join('\n'));
    const { code, text } = await runWithinMinute(['explain', 'aliases.yaml']);
    expect(text).toContain('its aliases expand to more than 200000 values');
    expect(code).toBe(2);
  },
  2 * minute,
);
