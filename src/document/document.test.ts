import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { brokenDocuments } from '../../fixtures/broken-documents.ts';
import { DocumentError } from './document.ts';
import { readDocument } from './read-document.ts';

const folder = fileURLToPath(new URL('../../fixtures/documents/broken', import.meta.url));

async function refusal(file: string): Promise<unknown> {
  return readDocument(file, { isStrict: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('each broken document is in the table', () => {
  expect(brokenDocuments.map(([file]) => file).toSorted()).toEqual(readdirSync(folder).toSorted());
});

test.each(brokenDocuments)('refuses %s and says where and what to do', async (file, code, problems) => {
  const error = await refusal(`${folder}/${file}`);
  if (!(error instanceof DocumentError)) throw new Error(`${file} was not refused`, { cause: error });
  expect(error.code).toBe(code);
  expect(
    error.problems.map(({ line, column, reason, remedy }) => `${line}:${column} ${reason}. ${remedy}.`),
  ).toEqual(problems);
});

test('says one problem in one sentence, and lists several', async () => {
  const one = await refusal(`${folder}/no-info.yaml`);
  const several = await refusal(`${folder}/two-syntax-errors.yaml`);
  expect(String(one)).toBe(
    `ClocheError: Failed to read "${folder}/no-info.yaml": ${folder}/no-info.yaml:1:1: must have "info". Add it.`,
  );
  expect(String(several)).toBe(
    [
      `ClocheError: Failed to read "${folder}/two-syntax-errors.yaml": it has 2 problems. Fix each of them.`,
      `  ${folder}/two-syntax-errors.yaml:2:35: unexpected scalar at node end. Correct the YAML.`,
      `  ${folder}/two-syntax-errors.yaml:4:1: tabs are not allowed as indentation. Correct the YAML.`,
    ].join('\n'),
  );
});
