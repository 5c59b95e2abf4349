import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import type { Ended } from '../../fixtures/run-cloche.ts';
import { pingDocument, startPings } from '../../fixtures/pings.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(join(root, 'templates/cloche.yml'), 'utf8');

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports: Readonly<Record<string, string>>;
  };
}

interface Spec {
  readonly spec: { readonly inputs: Readonly<Record<string, { readonly default: string | number }>> };
}

const [header, template] = parseAllDocuments(text).map((document) => document.toJS() as unknown);
// `as`: GitLab specifies the shape of the header.
const { inputs: declared } = (header as Spec).spec;

/** Returns the jobs of the component with the given inputs, as GitLab interpolates them. */
function jobsWith(given: Readonly<Record<string, string>>): Readonly<Record<string, Job>> {
  const interpolated = JSON.stringify(template).replaceAll(
    /\$\[\[ inputs\.([\w-]+) \]\]/gu,
    (_, name: string) => {
      const initial = declared[name]?.default;
      if (initial === undefined) throw new Error(`the component declares no input ${name}`);
      return JSON.stringify(String(given[name] ?? initial)).slice(1, -1);
    },
  );
  // `as`: the tests check the members that they use.
  return parse(interpolated) as Readonly<Record<string, Job>>;
}

let folder: string;

beforeAll(buildWhenStale);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloche-gitlab-'));
  writeFileSync(join(folder, 'pings.yaml'), pingDocument);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'dist/src/cli/main.js'), join(folder, 'node_modules/.bin/cloche'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the script of a job in one shell, as a runner of GitLab does. */
function runJob({ script, variables }: Job): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...variables };
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.join('\n')];
    execFile('bash', words, { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const few = '--suite samples --seed 7';

test('writes both reports as artifacts for a service with a fault, and fails', async () => {
  const url = await startPings('{}');
  const { cloche: job } = jobsWith({ document: 'pings.yaml', url, args: few, 'wait-for-service': '5' });
  if (job === undefined) throw new Error('the component has no job cloche');
  const { code, stdout, stderr } = await runJob(job);
  expect(stderr).toBe('');
  expect(stdout).toContain('\nFAIL  pings.yaml on ');
  expect(code).toBe(1);
  const { when, paths, reports } = job.artifacts;
  expect(when).toBe('always');
  expect(paths).toEqual(['./cloche-reports']);
  expect(readFileSync(join(folder, String(reports['junit'])), 'utf8')).toContain('<failure');
  // `as`: an array is what GitLab reads.
  const quality = JSON.parse(readFileSync(join(folder, String(reports['codequality'])), 'utf8')) as unknown[];
  expect(quality).toHaveLength(1);
});

test('passes on no input to the shell', async () => {
  const trap = '$(touch trap)`touch trap`; touch trap #';
  const [job] = Object.values(jobsWith({ document: trap, 'job-name': 'orders', reports: 'a b' }));
  if (job === undefined) throw new Error('the component has no job');
  const { code, stderr } = await runJob(job);
  expect(stderr).toContain('touch trap');
  expect(code).toBe(2);
  await expect(runJob({ ...job, script: ['test ! -e trap'] })).resolves.toMatchObject({ code: 0 });
});

test('uses every declared input', () => {
  const used = [...text.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/gu)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(declared)));
});

test('installs its own version by default', () => {
  // `as`: the manifest of the package.
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(text).toContain(`cloche@\${INPUT_VERSION:-${version}}`);
});
