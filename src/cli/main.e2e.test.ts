import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-loads-'));

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Loaded {
  /** The packages that were found in node_modules. */
  readonly installed: readonly string[];
  /** The packages that are part of our own files. */
  readonly bundled: readonly string[];
  /** The folders of src/ that our own files were made of; `suites` for that one. */
  readonly rooms: readonly string[];
  /** Our own modules. */
  readonly modules: readonly string[];
  /** How many files of code there were. */
  readonly count: number;
  /** The names of the functions that ran. */
  readonly ran: ReadonlySet<string>;
}

function distinct(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))].toSorted();
}

function packageOf(path: string): string | undefined {
  return /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(path)?.[1];
}

/**
 * Runs the built command, and reads what Node says it has loaded until it ended.
 *
 * @param use - does something with what the command serves, which is then told to end
 * @param file - what Node runs, where it is another file
 */
async function trace(
  words: readonly string[],
  use?: (url: string) => Promise<void>,
  file = main,
): Promise<Loaded> {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const child = spawn(process.execPath, [file, ...words], {
    // As a process ends, V8 lists each script that it has run, whichever loader it came through.
    env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const served = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(output) ?? [];
      if (url !== undefined) {
        resolve(url);
      }
    });
  });
  if (use !== undefined) {
    await Promise.race([served.then(use), ended]).finally(() => child.kill('SIGTERM'));
  }
  const [exitCode] = await ended;
  expect({ exitCode, output }).toEqual({ exitCode: 0, output });
  return readLoaded(coverage);
}

function readLoaded(coverage: string): Loaded {
  const scripts = readdirSync(coverage).flatMap((name) => {
    // `as`: the format of V8's coverage.
    const report = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
    };
    return report.result.filter(({ url }) => url.startsWith('file:'));
  });
  const files = scripts.map(({ url }) => fileURLToPath(url));
  const functions = scripts.flatMap((script) => script.functions);
  const ours = files.filter((file) => packageOf(file) === undefined);
  // The bundler heads each module with its path.
  const modules = ours.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\/\/ (\S+\/\S+\.[cm]?[jt]s(?:on)?)$/gmu)].map(
      ([, path = '']) => path,
    ),
  );
  return {
    installed: distinct(files.map(packageOf)),
    bundled: distinct(modules.map(packageOf)),
    rooms: distinct(modules.map((path) => /^(?:src\/)?([a-z]+)\//u.exec(path)?.[1])),
    modules: distinct(modules.filter((path) => packageOf(path) === undefined)),
    count: distinct(files).length,
    ran: new Set(
      functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName),
    ),
  };
}

test(
  'a plain mock that answers loads no generator, client, sampler, judge or probe',
  { timeout: minute },
  async () => {
    const { installed, bundled, rooms, modules, count, ran } = await trace(
      ['mock', '--port', '0', '--token', 't'],
      async (url) => {
        const answer = await fetch(`${url}/plants`, {
          method: 'POST',
          headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
          body: '{"id":1,"name":"Basil"}',
        });
        expect(answer.status).toBe(200);
      },
    );
    expect(installed).toEqual(['@humanwhocodes/momoa']);
    expect(bundled).toEqual(expect.arrayContaining(['lilconfig', 'yaml', 'yargs']));
    const late = /^(?:ajv|fast-check|re2js|string-width|undici|vitest|@stoplight\/.*|@apidevtools\/.*)$/u;
    expect(bundled.filter((name) => late.test(name))).toEqual([]);
    expect(rooms).toEqual([
      'cli',
      'config',
      'contract',
      'document',
      'errors',
      'http',
      'json',
      'mock',
      'policy',
      'schema',
      'spec',
    ]);
    // The schema of fault rules, and no document.
    const data = modules.filter((path) => path.startsWith('spec/'));
    expect(data).toEqual(['spec/faults.schema.json']);
    // What a mock answers by, and not how a document is made to say it.
    expect(modules).toContain('src/policy/behaviours/index.ts');
    const later = /^src\/policy\/overlay\b/u;
    expect(modules.filter((path) => later.test(path))).toEqual([]);
    // The control interface waits to be asked.
    expect(modules).toContain('src/mock/control/control.ts');
    const asked = /^src\/mock\/control\/(?:.+-operations|api|access|document)\b/u;
    expect(modules.filter((path) => asked.test(path))).toEqual([]);
    // Each file that Node loads is a part of a millisecond.
    expect(count).toBeLessThan(24);
    // Nor does it lay out its help, which yargs does by itself before a command runs.
    expect(ran).toContain('runCommand');
    expect(ran).not.toContain('rasterize');
  },
);

test('the help of the command line loads nothing that a command needs', { timeout: minute }, async () => {
  const { bundled, rooms, ran } = await trace(['--help']);
  expect(ran).toContain('rasterize');
  expect(bundled.filter((name) => /^(?:ajv|yaml)$/u.test(name))).toEqual([]);
  expect(rooms).not.toContain('contract');
});

test('a run of the suites loads what a plain mock does not', { timeout: minute }, async () => {
  const { installed, rooms } = await trace(['test', '--seed', '1', '--runs', '1']);
  expect(installed).toContain('fast-check');
  expect(rooms).toEqual(expect.arrayContaining(['arbitrary', 'check', 'mock', 'runner', 'suites']));
});

test(
  'what imports the package for a mock loads no generator, client, judge or suite',
  { timeout: minute },
  async () => {
    const index = fileURLToPath(new URL('../../dist/src/index.js', import.meta.url));
    const { installed, rooms, modules } = await trace([], undefined, index);
    expect(installed).toEqual(['@humanwhocodes/momoa']);
    expect(modules).toContain('src/contract/load.ts');
    expect(rooms).not.toContain('arbitrary');
    expect(rooms).not.toContain('runner');
    expect(rooms).not.toContain('suites');
  },
);
