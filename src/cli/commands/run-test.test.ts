import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-run-test-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

const cloche = (words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

test(
  'without a base URL, runs the suites on the in-process mock and finds nothing',
  { timeout: minute },
  async () => {
    const { code, stdout } = await cloche(['test', '--seed', '7', '--runs', '40']);
    expect(stdout).toMatch(
      /\nCoverage: 1 of 1 operation answered with a success, .*\n\d+ properties, [\d,]+ cases, [\d,]+ requests in [\d.]+ s\. Seed 7\.\n\nPASS  .*: nothing found in [\d,]+ requests\n$/u,
    );
    expect(code).toBe(0);
  },
);

test(
  'the output of a run without findings fits a screen, and is one line with --quiet',
  { timeout: minute },
  async () => {
    const quick = ['--runs', '5', '--suite', 'valid-bodies', '--suite', 'accept'];
    const { stdout } = await cloche(['test', ...quick]);
    expect(stdout.split('\n').length).toBeLessThan(25);
    expect((await cloche(['test', ...quick, '--quiet'])).stdout).toMatch(/^PASS  [^\n]+\n$/u);
    expect((await cloche(['test', ...quick, '--verbose'])).stdout).toContain(
      '✓ valid-bodies/createPlant.plain',
    );
  },
);

test('ends with 1 if a run covers less than --min-coverage requires', { timeout: minute }, async () => {
  const responses = { 200: { description: 'It is there' } };
  // No text is both longer than 5 and shorter than 2 characters.
  const schema = { type: 'string', minLength: 5, maxLength: 2 };
  const parameters = [{ name: 'word', in: 'query', required: true, schema }];
  const half = {
    openapi: '3.1.0',
    info: { title: 'Half', version: '1' },
    paths: { '/a': { get: { responses } }, '/b': { get: { parameters, responses } } },
  };
  await writeFile(join(folder, 'half.json'), JSON.stringify(half));
  const { code, stdout } = await cloche([
    'test',
    '-d',
    'half.json',
    '--suite',
    'accept',
    '--min-coverage',
    '80',
  ]);
  expect(stdout).toMatch(
    /\nFAIL  .*1 of 2 operations \(50%\) answered with a success, where .* 80%; not tested: GET \/b \(.*\)\n$/u,
  );
  expect(code).toBe(1);
});

test('rejects an option for services if there is no base URL', { timeout: minute }, async () => {
  const { code, stderr } = await cloche(['test', '--token', 'secret']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('it is for a service, and no base URL is given'),
  ]);
});
