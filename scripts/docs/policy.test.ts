import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { parseJson } from '../../src/json/parse.ts';
import { documentValueOf } from '../../src/policy/document-answers.ts';
import { behaviours } from '../../src/policy/behaviours/index.ts';
import { checkAnswer } from '../../src/policy/validate.ts';
import { hiddenBy, renderPolicyDocs } from './policy.ts';

const file = new URL('../../docs/policy.md', import.meta.url).pathname;
const contract = await loadContract(undefined, { followReferences: false });
const load = (name: string) =>
  loadContract(new URL(`../../fixtures/documents/${name}`, import.meta.url).pathname, {
    followReferences: false,
  });
const library = await load('library.yaml');
/** The library, items that have owners, and lists with searches and cursors. */
const others = await Promise.all(['notes.yaml', 'baskets.yaml'].map(load));
const resources = {
  ...library,
  operations: [library, ...others].flatMap(({ operations }) => operations),
};
const page = renderPolicyDocs(contract, resources);
const ids = Object.values(behaviours).map(({ id }) => id);

// `npx vitest run src/report/render-policy-docs -u` writes the page anew.
test('docs/policy.md says what the questions say of themselves', async () => {
  await expect(page).toMatchFileSnapshot(file);
});

test('what hides an answer is said where something does', () => {
  const hidden = ids.filter((id) => behaviours[id].hiddenBy !== undefined);
  expect(Object.keys(hiddenBy).toSorted()).toEqual(hidden.toSorted());
});

test.each(ids)('a document leaves %s open, so that the page can say what would settle it', (id) => {
  const speaking = behaviours[id].isOfResources === true ? resources : contract;
  const kinds = speaking.operations.map(
    (operation) => documentValueOf({ id, operation, contract: speaking }).kind,
  );
  expect(kinds).toContain('open');
});

test.each(ids)('every answer to %s that the page shows can be given', (id) => {
  const [, section = ''] = page.split(`\n## ${id}\n`);
  const [own = ''] = section.split('\n## ');
  const shown = [...own.matchAll(/^- (?:As in )?`([^`]+)`/gmu)].map(([, text = '']) => text);
  expect(shown.length).toBeGreaterThan(0);
  const wrong = shown.filter((text) => {
    const read = parseJson(text, { findDuplicateKeys: false });
    return read.kind !== 'json' || checkAnswer(id, read.value).length > 0;
  });
  expect(wrong).toEqual([]);
});
