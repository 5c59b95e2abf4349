import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { checkDocs } from '../../src/check/checks/docs.ts';
import { findingTitles } from '../../src/report/text/finding.ts';
import { renderCheckDocs } from './checks.ts';

const page = new URL('../../docs/checks.md', import.meta.url).pathname;
const source = new URL('../../src/check/finding.ts', import.meta.url);

/** The ids as the type lists them, which is not there when the tests run. */
async function listIds(): Promise<readonly string[]> {
  const [union = ''] = /type CheckId =[^;]*;/u.exec(await readFile(source, 'utf8')) ?? [];
  return [...union.matchAll(/\| '([a-z0-9-]+)'/gu)].map(([, id = '']) => id);
}

test('every check is described', async () => {
  const missing = (await listIds()).filter((id) => !Object.hasOwn(checkDocs, id));
  expect(missing, `describe ${missing.join(', ')} in src/check/docs, with an example`).toEqual([]);
});

test('nothing is described that is no check', async () => {
  const ids = await listIds();
  expect(Object.keys(checkDocs).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(Object.entries(checkDocs))('%s has a title, a place and an example', (id, doc) => {
  expect(Object.hasOwn(findingTitles, id)).toBe(true);
  const { place, finds, example } = doc;
  expect([place, finds, example.request, example.answer].filter((text) => text.trim() === '')).toEqual([]);
  expect(finds.endsWith('.')).toBe(true);
});

// `npx vitest run src/report/render-check-docs -u` writes the page anew.
test('docs/checks.md says what the checks say of themselves', async () => {
  await expect(renderCheckDocs()).toMatchFileSnapshot(page);
});
