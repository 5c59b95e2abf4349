import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = ['src', 'suites'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, path: join(entry.parentPath, entry.name).slice(root.length) })),
);
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

test('no file is longer than 500 lines', () => {
  const tooLong = files.filter(({ path }) => textOf(path).trimEnd().split('\n').length > 500);
  expect(tooLong.map(({ path }) => path)).toEqual([]);
});

test('files are named in kebab-case after what they hold', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*((\.e2e|\.matrix|\.nightly)?\.test|\.test-d|\.d)?\.[a-z]+$/;
  const saysNothing = /(^|[-/\\])(utils?|helpers?|common|misc|managers?|processors?)(?=[-/\\.])/;
  const misnamed = files.filter(({ name, path }) => !kebab.test(name) || saysNothing.test(path));
  expect(misnamed.map(({ path }) => path)).toEqual([]);
});

test('nothing that is shipped from src/ and suites/ knows plants', () => {
  const shipped = files.filter(({ name }) => !/\.test(-d)?\.ts$/.test(name)).map(({ path }) => path);
  expect(shipped.length).toBeGreaterThan(20);
  expect(shipped.filter((path) => /plant/i.test(path + textOf(path)))).toEqual([]);
});

test('every server reads all header fields of a request', () => {
  const opening = files
    .filter(({ path }) => /^src.*(?<!\.test)\.ts$/.test(path))
    .map(({ path }) => ({ path, text: textOf(path) }))
    .filter(({ text }) => /\bcreateServer\(/.test(text));
  expect(opening.length).toBeGreaterThan(1);
  expect(opening.filter(({ text }) => !text.includes('maxHeadersCount = 0')).map(({ path }) => path)).toEqual(
    [],
  );
});
