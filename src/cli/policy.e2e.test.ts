import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-policy-'));
const quiet = ['--token', 't', '-q'];

const files = {
  'refuse.yaml': 'contract: library.yaml\nanswers:\n  duplicate-key: refuse\n',
  'conflict.json': '{"contract": "library.yaml", "answers": {"duplicate-key": "conflict"}}',
  'typo.yaml': 'answers:\n  duplicate-key: conflct\n  dupe: x\n',
  'stray.yaml': 'answers: {}\noperations:\n  addBok:\n    echo: none\n',
  'listed.yaml': 'contract: library.yaml\nanswers: { accepted-tokens: listed }\n',
};

beforeAll(async () => {
  const library = new URL('../../fixtures/documents/two-creates.yaml', import.meta.url);
  await copyFile(library, join(folder, 'library.yaml'));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
  }
  await buildWhenStale();
}, 2 * minute);

afterAll(() => rm(folder, { recursive: true, force: true }));

function runTest(...words: readonly string[]): Promise<Ended> {
  return runCloche(['test', '--runs', '10', '--seed', '1', ...words], { folder });
}

test(
  'a service that answers otherwise than its policy says fails the run',
  { timeout: 2 * minute },
  async () => {
    const { url } = await startMock(folder, [...quiet, 'library.yaml', '--answer', 'duplicate-key=conflict']);
    const on = [url, '--token', 't', '--suite', 'repeated-keys'] as const;
    const drifted = await runTest(...on, '--policy', 'refuse.yaml');
    expect([drifted.code, drifted.stderr]).toEqual([1, '']);
    expect(drifted.stdout).toContain('The service did not follow its policy');
    expect(drifted.stdout).toContain('duplicate-key');
    // The line that shows it again is told the same.
    expect(drifted.stdout).toContain('--policy refuse.yaml');

    const held = await runTest(...on, '--policy', 'conflict.json');
    expect(held.code).toBe(0);
    const answered = await runTest(...on, '--policy', 'refuse.yaml', '--answer', 'duplicate-key=conflict');
    expect(answered.code).toBe(0);
    const own = await runTest(...on, '-d', 'library.yaml', '--answer', 'addReader:duplicate-key=replace');
    expect(own.code).toBe(1);
    expect(own.stdout).toContain('addReader');
    expect(own.stdout).toContain('--answer addReader:duplicate-key=replace');
  },
);

test('a service is held to no answer that its policy leaves out', { timeout: 2 * minute }, async () => {
  const { url } = await startMock(folder, [
    ...quiet,
    'library.yaml',
    '--answer=duplicate-key=conflict',
    '--answer=auth-order=after',
    '--answer=accept=406',
    '--answer=missing-credentials={"status":403,"body":"empty"}',
    '--answer=other-operations={"method":404,"path":404}',
  ]);
  const { code, stdout } = await runTest(url, '--token', 't', '--policy', 'conflict.json');
  expect(stdout).not.toContain('otherwise than its policy says');
  expect(code).toBe(0);
});

test('the in-process mock answers as the policy says', { timeout: 2 * minute }, async () => {
  const { code, stdout } = await runTest('--policy', 'conflict.json', '--suite', 'repeated-keys');
  expect(code).toBe(0);
  expect(stdout).toContain('Library');
  expect(stdout).toMatch(/conflict|409/u);
});

test('the mock says at its start what it answers otherwise than by default', async () => {
  const own = ['--policy', 'conflict.json', '--answer', 'addBook:accept=406'];
  const { output } = await startMock(folder, [...quiet, ...own]);
  await expect.poll(output, { timeout: 20_000 }).toContain('  addBook: accept: 406\n');
  expect(output()).toContain('  duplicate-key: 409 with an error body\n');
});

test('it is said where a policy is used for a document of another name', { timeout: minute }, async () => {
  await copyFile(join(folder, 'library.yaml'), join(folder, 'other.yaml'));
  const narrow = ['--policy', 'conflict.json', '--suite', 'repeated-keys'];
  const same = await runTest('-d', './library.yaml', ...narrow);
  expect([same.code, same.stderr]).toEqual([0, '']);
  const other = await runTest('-d', 'other.yaml', ...narrow);
  expect([other.code, other.stderr]).toEqual([
    0,
    'The policy conflict.json is that of library.yaml, and is used for other.yaml.\n',
  ]);
});

test.each<[readonly string[], string]>([
  [['mock', '--policy', 'typo.yaml'], 'typo.yaml:2:3: answers.duplicate-key: "conflct" is no answer'],
  [['test', '--policy', 'typo.yaml'], 'typo.yaml:3:3: answers.dupe: there is no question "dupe"'],
  [
    ['test', '-d', 'library.yaml', '--policy', 'stray.yaml'],
    'stray.yaml:3:3: operations.addBok: the document has no',
  ],
  [['mock', '--policy', 'none.yaml'], 'Failed to read the policy "none.yaml": there is no such file.'],
  [['mock', '--policy', 'listed.yaml'], 'Give one with --token, or --answer accepted-tokens=any.'],
  [
    ['mock', '--answer', 'duplicte-key=refuse'],
    'Failed to read the option "--answer duplicte-key": there is no question "duplicte-key". Perhaps "duplicate-key" was meant.',
  ],
  [
    ['test', '--answer', 'duplicate-key=conflct'],
    'Failed to read the option "--answer duplicate-key": "conflct" is no answer to this question. Perhaps "conflict" was meant.',
  ],
  [
    ['test', '--answer', 'body-limit={"bytes":1024,"status":500}'],
    'Failed to read the option "--answer body-limit": status: must be at most 499, but is 500.',
  ],
  [
    ['test', '-d', 'library.yaml', '--answer', 'addBok:echo=none'],
    'Failed to read the option "--answer addBok:": the document has no operation "addBok". Perhaps "addBook" was meant.',
  ],
  [
    ['test', '-d', 'library.yaml', '--answer', 'addBook:constraints={"titel":{"maxLength":9}}'],
    'Failed to read the option "--answer addBook:constraints": no body has a property "titel". Perhaps "title" was meant.',
  ],
  [
    ['mock', 'library.yaml', '--answer', 'constraints={"titel":{"maxLength":9}}'],
    'Failed to read the option "--answer constraints": no body has a property "titel". Perhaps "title" was meant.',
  ],
  [['test', '--answer', 'duplicate-key'], 'Write it as --answer duplicate-key=conflict.'],
  [['test', '--answer', 'echo='], 'Failed to read the option "--answer echo=": the answer is missing.'],
  [['test', '--answer', 'echo=none', '--answer', 'echo=exact'], '"--answer echo": it is given twice.'],
])('refuses %j and says what is right', async (words, said) => {
  const { code, stdout, stderr } = await runCloche(words, { folder });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(said);
});

test('a token that stands in the place of an answer is not shown', async () => {
  const { code, stderr } = await runCloche(['test', '--answer', 'accepted-tokens=a-secret'], { folder });
  expect(code).toBe(2);
  expect(stderr).toContain('--token');
  expect(stderr).not.toContain('a-secret');
});
