import { expect, test } from 'vitest';
import { checks } from '../../src/check/checks/all-checks.ts';
import { checkIds } from '../../src/check/finding.ts';
import { renderCheckDocs } from './checks.ts';

const page = new URL('../../docs/checks.md', import.meta.url).pathname;

test('every check is described', () => {
  const missing = checkIds.filter((id) => !Object.hasOwn(checks, id));
  expect(missing, `define ${missing.join(', ')} in src/check/checks, with an example`).toEqual([]);
});

test('nothing is described that is no check', () => {
  expect(Object.keys(checks).toSorted()).toEqual(checkIds.toSorted());
  expect(Object.entries(checks).filter(([id, check]) => check.id !== id)).toEqual([]);
});

test.each(Object.entries(checks))('%s has a title, a place and an example', (_id, { docs }) => {
  const { title, place, finds, example } = docs;
  expect([title, place, finds, example.request, example.answer].filter((text) => text.trim() === '')).toEqual(
    [],
  );
  expect(finds.endsWith('.')).toBe(true);
});

// `npx vitest run scripts/docs/checks.test.ts -u` writes the page anew.
test('docs/checks.md says what the checks say of themselves', async () => {
  await expect(renderCheckDocs()).toMatchFileSnapshot(page);
});
