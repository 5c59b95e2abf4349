import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyOverlay } from '../../../fixtures/apply-overlay.ts';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));

let folder = '';
beforeAll(async () => {
  await buildWhenStale();
  folder = await mkdtemp(join(tmpdir(), 'cloche-'));
  await writeFile(join(folder, 'policy.yaml'), 'answers:\n  duplicate-key: conflict\n  echo: exact\n');
});
afterAll(() => rm(folder, { recursive: true }));

const explain = (...words: readonly string[]): Promise<Ended> => runCloche(['explain', ...words], { folder });

test('prints what the document says and leaves open, with the answers of a policy', async () => {
  const { code, stdout } = await explain(plantStore, '--policy', 'policy.yaml');
  expect(code).toBe(0);
  expect(stdout).toContain('creates a resource of /plants');
  expect(stdout).toContain('19 of 19 behaviours undecided');
  expect(stdout).toMatch(/duplicate-key {2,}409 with an error body \(policy\)/u);
});

test('prints JSON for programs', async () => {
  const { code, stdout } = await explain(plantStore, '--json', '--answer', 'accept=406');
  const { $schema, answers } = JSON.parse(stdout);
  expect([code, $schema]).toEqual([0, 'urn:cloche:explanation:1']);
  expect(answers).toContainEqual(
    expect.objectContaining({ question: 'accept', from: 'policy', answer: { value: 406, words: '406' } }),
  );
});

test('prints an overlay with which the document answers itself what the policy answered', async () => {
  const overlay = await explain(plantStore, '--policy', 'policy.yaml', '--overlay');
  expect(overlay.code).toBe(0);
  await writeFile(join(folder, 'whole.json'), await applyOverlay(plantStore, overlay.stdout));
  const { stdout } = await explain('whole.json');
  expect(stdout).toContain('17 of 19 behaviours undecided');
  expect(stdout).toContain('It declares 409 (line');
  const asJson = await explain(plantStore, '--policy', 'policy.yaml', '--overlay', '--json');
  expect(JSON.parse(asJson.stdout)).toMatchObject({ overlay: '1.0.0', actions: expect.any(Array) });
});

const answersWith = (schema: unknown) => ({
  get: { responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } } },
});
const neverMet = answersWith({ type: 'object', required: ['a'], additionalProperties: false });

test('lists the samples that their schemas do not accept, with the reason', async () => {
  const paths = { '/never': neverMet, '/plain': answersWith({ type: 'string' }) };
  const document = { openapi: '3.1.0', info: { title: 'Samples', version: '1' }, paths };
  await writeFile(join(folder, 'samples.json'), JSON.stringify(document));
  const { code, stdout } = await explain('samples.json', '--json');
  expect([code, JSON.parse(stdout).misfits]).toEqual([
    0,
    [
      {
        operation: 'GET /never',
        mediaType: 'application/json',
        status: 200,
        message: expect.stringMatching(
          /^No value was found that the schema at \/paths\/~1never\/get\/responses\/200/u,
        ),
      },
    ],
  ]);
  const asText = await explain('samples.json');
  expect(asText.stdout).toMatch(
    /Samples that do not fit their schemas\n\n {2}GET \/never {2}200 application\/json\n/u,
  );
});

test('makes the samples of more than 50 operations only when it is asked to', async () => {
  const names = Array.from({ length: 51 }, (_, index) => [`/never/${index}`, neverMet]);
  const info = { title: 'Many', version: '1' };
  await writeFile(
    join(folder, 'many.json'),
    JSON.stringify({ openapi: '3.1.0', info, paths: Object.fromEntries(names) }),
  );
  const { stdout } = await explain('many.json');
  expect(stdout).toContain('not looked for, as there are 51 operations; --samples makes them all');
  const all = await explain('many.json', '--samples', '--json');
  expect(JSON.parse(all.stdout).misfits).toHaveLength(51);
});

test('refuses an overlay of no answers', async () => {
  const { code, stderr } = await explain(plantStore, '--overlay');
  expect([code, stderr]).toEqual([2, expect.stringContaining('there are no answers to declare')]);
});

test('refuses an answer of the document that there is not, at its line', async () => {
  const text = await readFile(plantStore, 'utf8');
  await writeFile(join(folder, 'wrong.yaml'), `${text}x-cloche-policy:\n  echo: exakt\n`);
  const { code, stderr } = await explain('wrong.yaml');
  const line = text.split('\n').length + 1;
  expect([code, stderr]).toEqual([2, expect.stringContaining(`wrong.yaml:${line}:3:`)]);
});
