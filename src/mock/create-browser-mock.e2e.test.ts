import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { toBundle } from '../document/bundle.ts';
import { readDocument } from '../document/read-document.ts';
import { stringifyJson } from '../json/print.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

beforeAll(buildWhenStale, 60_000);

type Asked = readonly [path: string, body?: string];
interface Answered {
  readonly mayGenerate: boolean;
  readonly answers: readonly (readonly [status: number, type: string | null, body: string])[];
}

/** Asks the built mock of a browser, in a process of its own. */
async function ask(document: string, asked: readonly Asked[], flags: readonly string[]): Promise<Answered> {
  const { root: read } = await readDocument(root + document);
  const script = `${root}fixtures/browser/without-code-generation.js`;
  const given = [`${root}dist/src/browser.js`, stringifyJson(toBundle(read)), JSON.stringify(asked)];
  const { stdout } = await run(process.execPath, [...flags, script, ...given]);
  // `as`: this is what the script prints.
  return JSON.parse(stdout) as Answered;
}

const forbidden = ['--disallow-code-generation-from-strings'];

test('answers without generating code as it does with it', async () => {
  const long = 'x'.repeat(300);
  const asked: readonly Asked[] = [
    ['/plants', '{"id":1,"name":"Basil"}'],
    ['/plants', '{"id":9007199254740993,"name":"Basil","tag":"herb"}'],
    ['/plants', '{"id":9007199254740993,"name":"Basil"}'],
    ['/plants', '{"id":"one","tag":5}'],
    ['/plants', `{"id":1.5,"name":"${long}"}`],
    ['/plants', '{"id":9223372036854775808,"name":null}'],
    ['/plants', '[]'],
    ['/plants', '{'],
  ];
  const { mayGenerate, answers } = await ask('spec/plant-store.yaml', asked, forbidden);
  expect(mayGenerate).toBe(false);
  expect(answers.map(([status]) => status)).toEqual([200, 200, 400, 400, 400, 400, 400, 400]);
  expect(answers[3]?.[2]).toContain('must be an integer');
  expect(await ask('spec/plant-store.yaml', asked, [])).toEqual({ mayGenerate: true, answers });
});

test.each(['samples.yaml', 'recursive.yaml', 'nullable.yaml', 'parameters.yaml'])(
  'mocks %s without generating code',
  async (name) => {
    const document = `fixtures/documents/${name}`;
    const { root: read } = await readDocument(root + document);
    // `as`: the documents of this folder have paths.
    const paths = Object.keys((read as { paths: object }).paths);
    const asked = paths.flatMap((path): readonly Asked[] => {
      const target = path.replaceAll(/\{[^}]*\}/gu, '2025');
      return [[target], [target, '{}'], [target, '{"id":"x","name":7}'], [target, 'true']];
    });
    const { answers } = await ask(document, asked, forbidden);
    expect(answers).toEqual((await ask(document, asked, [])).answers);
    expect(answers.some(([status]) => status >= 400)).toBe(true);
    expect(answers.filter(([status]) => status >= 500)).toEqual([]);
  },
);
