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

/** Words that have no ordinary meaning in this code, as CONTRIBUTING.md says: HTTP, OpenAPI or JSON Schema has a term for each. */
const privateWords =
  'told unspoken unsaid whereabouts interference interfere interferes breathe breather sighting sightings oddity oddities odd telltale slip slips misfit misfits contested twin twins unjudged surroundings basis admit admits admitted allot lane lanes counsel made?up makes?up making?up mend mends mended stand-in stands?for stand?for turned?away turns?away lets?in let?in silence silent nobody whoever somebody story stories unread'
    .split(' ')
    .map((word) => word.replace('?', ' '));
/** Ids of findings, fields of JSON, fixtures and finding texts that users may have stored. */
const storedSpellings =
  /'twin-keys'|`twin-keys`|## twin-keys|'(?:double|int32)-twins'|traffic-unjudged|--unjudged[\w-]*|unjudged|misfits|'silent'|'turned away'|-mended|a token that nobody issued|in a row|inARow/giu;

test('no private word is used where a term of the field exists', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  const shipped = files
    .filter(({ name }) => /(?<!\.test|\.test-d)\.tsx?$/.test(name))
    .map(({ path }) => path);
  const isPrivate = new RegExp(`(?<!\\w)(?:${privateWords.join('|')})(?!\\w)`, 'iu');
  const found = [...shipped, ...pages, 'README.md'].flatMap((path) =>
    textOf(path)
      .replaceAll(storedSpellings, '')
      .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
      .split('\n')
      .flatMap((line, index) => (isPrivate.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(privateWords.length).toBeGreaterThanOrEqual(40);
  expect(found).toEqual([]);
});
