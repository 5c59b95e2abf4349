import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { clocheMain } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-multiply-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command comes to that is ended where it does not end, with no more memory than this. */
function run(words: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, timeout: minute, killSignal: 'SIGKILL' } as const;
    const node = ['--max-old-space-size=512', clocheMain, ...words];
    const child = execFile(process.execPath, node, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, text: stdout + stderr });
    });
  });
}

type Schema = Readonly<Record<string, unknown>>;

/** An operation that takes and gives what the first of some schemas describes. */
function write(name: string, schemas: Readonly<Record<string, Schema>>): string {
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

/** Thirty schemas that each have the next one more than once. */
function multiply(shape: (next: Schema) => Schema, last: Schema): Readonly<Record<string, Schema>> {
  const levels = Array.from({ length: 30 }, (_, level) => [
    `S${level}`,
    shape({ $ref: `#/components/schemas/S${level + 1}` }),
  ]);
  return Object.fromEntries([...levels, ['S30', last]]);
}

const object = { type: 'object', properties: { a: { type: 'string' } } };

test.each<[string, Readonly<Record<string, Schema>>]>([
  ['anyOf', multiply((next) => ({ anyOf: [next, next] }), object)],
  ['oneOf', multiply((next) => ({ oneOf: [next, next] }), object)],
  [
    'conditions',
    multiply((next) => Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, next])), object),
  ],
  ['properties', multiply((next) => ({ type: 'object', properties: { b: next, c: next } }), object)],
  [
    'required',
    multiply((next) => ({ type: 'object', required: ['b', 'c'], properties: { b: next, c: next } }), object),
  ],
  ['items', multiply((next) => ({ type: 'array', minItems: 2, items: next }), object)],
  ['pattern', { S: { type: 'string', pattern: '(((((a{1000}){1000}){1000}){1000}){1000})' } }],
])(
  'schemas that multiply through %s are explained and tried within bounds',
  async (name, schemas) => {
    const file = write(name, schemas);
    expect(await run(['explain', file])).toMatchObject({ code: 0 });
    const { code, text } = await run(['test', '-d', file, '--max-time', '5']);
    expect(text).toContain('on the in-process mock');
    expect(code).toBe(0);
  },
  3 * minute,
);

test(
  'aliases that multiply end in a sentence, however many values stand beside them',
  async () => {
    const lines = ['openapi: 3.1.0', 'info: { title: T, version: "1" }', 'paths: {}', 'x-0: &a0 [1]'];
    for (let level = 1; level < 30; level += 1) {
      lines.push(`x-${level}: &a${level} { a: *a${level - 1}, b: *a${level - 1} }`);
    }
    const beside = Array.from({ length: 20_000 }, (_, index) => `  - ${index}`);
    writeFileSync(join(folder, 'aliases.yaml'), [...lines, 'x-beside:', ...beside, ''].join('\n'));
    const { code, text } = await run(['explain', 'aliases.yaml']);
    expect(text).toContain('its aliases stand for more than 200000 values');
    expect(code).toBe(2);
  },
  2 * minute,
);
