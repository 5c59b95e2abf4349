import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mutateBytes } from './mutate.js';
import { startCommand } from './start-command.js';

/** The mock must answer by the good files after this time. */
const answeredMs = 10_000;
/** The longest pause between two replacements: the mock waits for 50 ms after a change. */
const pauseMs = 150;
/** A file past this size is not read. */
const mostBytes = 256 * 1_024 ** 2;
/** The memory in use is the measure of growth after this many rounds. */
const warmRounds = 100;

const words = [
  '\0',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '&a ',
  '*a',
  '<<: *a',
  '$ref',
  '1e400',
  '__proto__',
  '%YAML 9.9\n',
];

const note = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const json = (schema) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } });

/** The watched files of one version. The mock shows the version of each. */
function goodFiles(version) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: { responses: json({ type: 'array', items: note }) },
        post: { requestBody: { content: { 'application/json': { schema: note } } }, responses: json(note) },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: json(note) },
      },
      '/part': { $ref: 'part.json' },
      [`/version-${version}`]: { get: { responses: json({ const: version }) } },
    },
  };
  return {
    'api.json': document,
    'part.json': { get: { responses: json({ const: version }) } },
    'policy.json': { answers: { 'body-limit': { bytes: 1_000 + version, status: 413 } } },
    'rows.json': [{ id: version }],
  };
}

/** @returns {Promise<string | undefined>} which file the mock does not answer by */
async function findStale(port, version) {
  const ask = async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(answeredMs),
    });
    return `${response.status} ${await response.text()}`;
  };
  const expected = [
    ['api.json', `/version-${version}`, `200 ${version}`],
    ['part.json', '/part', `200 ${version}`],
    ['policy.json', '/__cloche/policy', `"bytes":${1_000 + version}`],
    ['rows.json', '/notes', `200 [{"id":${version}}]`],
  ];
  for (const [name, path, text] of expected) {
    const answer = await ask(path).catch(String);
    if (!answer.replaceAll(/\s/gu, '').includes(text.replaceAll(/\s/gu, '')))
      return `${name}: ${answer.slice(0, 300)}`;
  }
  return undefined;
}

/** The ways to spoil a file, by name: each makes something at a path where nothing is. */
const spoils = {
  mutated: (path, { good, random }) => writeFileSync(path, mutateBytes(good, random, words)),
  truncated: (path, { good, random }) => writeFileSync(path, good.subarray(0, random.below(good.length))),
  zero: (path) => symlinkSync('/dev/zero', path),
  null: (path) => symlinkSync('/dev/null', path),
  pipe: (path) => execFileSync('mkfifo', [path]),
  folder: (path) => mkdirSync(path),
  missing: () => undefined,
  dangling: (path) => symlinkSync('nowhere', path),
  circular: (path, { name }) => symlinkSync(name, path),
  other: (path, { names, random }) => symlinkSync(random.pick(names), path),
  large: (path, { random }) => {
    writeFileSync(path, '[');
    truncateSync(path, mostBytes + 1 + random.below(2 ** 30));
  },
};

/** Puts something in the place of a file: at once as editors do, or after the file is gone. */
function replaceFile(folder, name, make, random) {
  const [place, draft] = [join(folder, name), join(folder, `${name}~`)];
  if (random.below(2) === 0) {
    rmSync(place, { recursive: true, force: true });
    make(place);
    return;
  }
  make(draft);
  rmSync(place, { recursive: true, force: true });
  try {
    renameSync(draft, place);
  } catch (error) {
    // Nothing was made.
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * @param {{ random: import('./mutate.js').Random, isOver: () => boolean }} options
 * @returns {Promise<readonly string[]>} what went wrong
 */
export async function fuzzWatch({ random, isOver }) {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-fuzz-'));
  const names = Object.keys(goodFiles(0));
  let version = 0;
  const textOf = (name) => Buffer.from(JSON.stringify(goodFiles(version)[name]));
  for (const name of names) writeFileSync(join(folder, name), textOf(name));
  const [document, policy, data] = ['api.json', 'policy.json', 'rows.json'].map((name) => join(folder, name));
  const command = await startCommand([
    'mock',
    document,
    '--policy',
    policy,
    '--data',
    data,
    '--watch',
    '--port',
    '0',
    '--log',
    'json',
  ]);
  const problems = [];
  let [replaced, slowestMs] = [0, 0];
  while (!isOver() && command.isRunning() && problems.length === 0) {
    const steps = [];
    for (let left = 1 + random.below(6); left > 0; left -= 1) {
      const [name, way] = [random.pick(names), random.pick(Object.keys(spoils))];
      replaceFile(
        folder,
        name,
        (path) => spoils[way](path, { good: textOf(name), name, names, random }),
        random,
      );
      steps.push(`${name} ${way}`);
      await sleep(random.below(pauseMs));
    }
    replaced += steps.length;
    version += 1;
    for (const name of names) {
      replaceFile(folder, name, (path) => writeFileSync(path, textOf(name)), random);
      if (random.below(2) === 0) await sleep(random.below(pauseMs));
    }
    const from = performance.now();
    let stale = await findStale(command.port, version);
    while (stale !== undefined && command.isRunning() && performance.now() - from < answeredMs) {
      await sleep(50);
      stale = await findStale(command.port, version);
    }
    slowestMs = Math.max(slowestMs, performance.now() - from);
    if (stale !== undefined) problems.push(`after ${steps.join(', ')} the mock does not answer by ${stale}`);
    if (version === warmRounds) command.markWarm();
  }
  problems.push(...command.findProblems());
  process.stdout.write(
    `${version} rounds with ${replaced} bad files; the slowest reload ${Math.round(slowestMs)} ms; ${command.describe()}\n`,
  );
  command.child.kill();
  rmSync(folder, { recursive: true, force: true });
  return problems;
}
