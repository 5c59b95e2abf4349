import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../fixtures/build-when-stale.ts';
import { startCommand } from '../fixtures/proxy/start-command.ts';
import {
  both,
  get,
  ok,
  runWithMemory,
  schemaRef,
  expectToServe,
  writeDocument,
} from '../fixtures/written-document.ts';

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

test.each(Object.entries(documents))(
  'explains, mocks and tries %s, and what stands beside it',
  { timeout: 5 * minute },
  async (_, { paths, schemas, asked, seconds = 5 }) => {
    writeDocument(folder, paths, schemas);
    const explained = await runWithMemory(folder, ['explain', 'api.json'], 256);
    expect([explained.code, explained.text]).toEqual([0, expect.stringContaining('/plain')]);
    const tried = await runWithMemory(
      folder,
      ['test', '-d', 'api.json', '--seed', '7', '--max-time', String(seconds)],
      512,
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

test('explains, mocks and tries 1,000 operations in 512 MB', { timeout: 5 * minute }, () =>
  expectToServe(folder, 1_000, 512),
);
