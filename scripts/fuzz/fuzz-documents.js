import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { listPlaces, mutateBytes } from './mutate.js';
import { ask, startReader } from './reader.js';

const folder = fileURLToPath(new URL('../../fixtures/documents/', import.meta.url));
const reader = fileURLToPath(new URL('read-documents.js', import.meta.url));
/** So many documents are read by one process. */
const perProcess = 300;

const words = [
  '$ref: ',
  '&a ',
  '*a',
  '<<: *a',
  '!!binary ',
  '\t',
  '- - - ',
  '{[',
  '"\\ud800"',
  '?',
  ': ',
  '\n\n',
  '__proto__: ',
  '\u2028',
  '\xef\xbb\xbf',
  '%YAML 9.9\n',
  '---\n',
  '1e999',
  '0x7f',
  '~',
];
const values = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e9,
  2 ** 53,
  '',
  'x',
  '#',
  '#/',
  '..',
  '../../../etc/hosts',
  '{',
  '{id}',
  '$(id)',
  '(a+)+$',
  '[',
  '\u0000',
  [],
  {},
  [[]],
  [{}],
  { type: 'string', minLength: 1e9 },
  { type: 'array', minItems: 1e6, items: { type: 'integer' } },
  { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' },
  { not: {} },
  { oneOf: [{}, {}] },
  { enum: [{ toString: 1 }, 1] },
  { type: 'number', multipleOf: 0 },
  { type: 'object', required: ['a'], properties: { a: false } },
];

/** Changes some places of a document. */
function mutateTree(root, random) {
  const changed = structuredClone(root);
  for (let often = 1 + random.below(3); often > 0; often -= 1) {
    const places = listPlaces(changed);
    if (places.length === 0) break;
    const { holder, key } = random.pick(places);
    const other = random.pick(places);
    const copy = structuredClone(other.holder[other.key]);
    random.pick([
      () => (holder[key] = structuredClone(random.pick(values))),
      () => (holder[key] = { $ref: other.pointer }),
      () => (holder[key] = copy),
      () => delete holder[key],
      () => (holder[`${key}2`] = copy),
      () =>
        (holder[key] = {
          [random.pick(['allOf', 'anyOf', 'oneOf'])]: [holder[key], copy, { $ref: other.pointer }],
        }),
      () =>
        (holder[
          random.pick([
            'default',
            'example',
            'examples',
            'enum',
            'const',
            'items',
            'properties',
            'required',
            '$id',
            '$anchor',
            '$dynamicRef',
            'x-a',
          ])
        ] = copy),
    ])();
  }
  return JSON.stringify(changed);
}

/**
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong, with the file that holds the document
 */
export async function fuzzDocuments({ random, isOver }) {
  const texts = readdirSync(folder)
    .filter((name) => /\.(?:json|yaml)$/u.test(name))
    .map((name) => readFileSync(join(folder, name)));
  const trees = texts.map((text) => parse(String(text)));
  const kept = mkdtempSync(join(tmpdir(), 'cloche-fuzz-'));
  const problems = new Map();
  const counts = { read: 0, refused: 0, wrong: 0 };
  let [reading, read, slowestMs] = [undefined, 0, 0];
  while (!isOver()) {
    if (reading === undefined || read % perProcess === 0) {
      reading?.child.kill();
      reading = startReader(reader);
      await ask(reading);
    }
    read += 1;
    const isText = random.below(3) === 0;
    const path = join(kept, `${read}.${isText ? 'yaml' : 'json'}`);
    writeFileSync(
      path,
      isText ? mutateBytes(random.pick(texts), random, words) : mutateTree(random.pick(trees), random),
    );
    const from = performance.now();
    const said = await ask(reading, path);
    slowestMs = Math.max(slowestMs, performance.now() - from);
    if (said === 'read' || said === 'refused') {
      counts[said] += 1;
      continue;
    }
    counts.wrong += 1;
    // The same fault of many documents is told once.
    const cause = said.split('\n').slice(0, 3).join(' ').replaceAll(/\d+/gu, '…');
    if (!problems.has(cause)) problems.set(cause, `${path}: ${said.slice(0, 600)}`);
    if (said.startsWith('failed')) continue;
    reading.child.kill('SIGKILL');
    reading = undefined;
  }
  reading?.child.kill();
  process.stdout.write(
    `${read} documents: ${counts.read} mocked, ${counts.refused} refused, ${counts.wrong} otherwise; the slowest ${Math.round(slowestMs)} ms\n`,
  );
  return [...problems.values()];
}
