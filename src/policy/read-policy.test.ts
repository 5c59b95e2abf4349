import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { readPolicyFile, readRunAnswers } from './read-policy.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-policy-'));
const document = new URL('../../fixtures/documents/two-creates.yaml', import.meta.url).pathname;
let files = 0;

afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(text: string, ending = 'yaml'): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.${ending}`);
  await writeFile(file, text);
  return file;
}

async function complain(text: string, ending?: string): Promise<string> {
  const file = await write(text, ending);
  const error: unknown = await readPolicyFile(file).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message.replaceAll(file, 'F') : 'it was read';
}

test('reads YAML and JSON alike', async () => {
  const yaml = 'contract: orders.yaml\nanswers: { echo: none }\noperations: { addBook: { accept: 406 } }\n';
  const policy = { echo: 'none', operations: { addBook: { accept: 406 } } };
  const read = await readPolicyFile(await write(yaml));
  expect([read.policy, read.contract]).toEqual([policy, join(folder, 'orders.yaml')]);
  const { operations, ...answers } = policy;
  expect((await readPolicyFile(await write(JSON.stringify({ answers, operations }), 'json'))).policy).toEqual(
    policy,
  );
});

test('reads a pattern that compiles only with the flag u', async () => {
  const constraints = { name: { pattern: '^[^\\u{10000}-\\u{10FFFF}]*$' } };
  const read = await readPolicyFile(await write(JSON.stringify({ answers: { constraints } }), 'json'));
  expect(read.policy).toEqual({ constraints });
});

test('a contract on the network is named as it is', async () => {
  const file = await write('{"contract": "https://example.com/orders.yaml", "answers": {}}', 'json');
  expect((await readPolicyFile(file)).contract).toBe('https://example.com/orders.yaml');
});

test.each([
  [
    'answers:\n  dupe-key: refuse',
    'F:2:3: answers.dupe-key: there is no question "dupe-key". It takes accepted-tokens,',
  ],
  [
    'answers:\n  echo: exat',
    'F:2:3: answers.echo: "exat" is no answer to this question. Perhaps "exact" was meant.',
  ],
  ['answer: {}', 'F:1:1: answer: there is no "answer". Perhaps "answers" was meant.'],
  [
    'duplicate-key: refuse\nanswers: {}',
    'F:1:1: duplicate-key: "duplicate-key" stands outside "answers". Move it',
  ],
  ['- 1', 'F:1:1: must be an object. Begin with {"answers": {}}'],
  [
    'answers: {}\noperations:\n  addBook:\n    body-limit: { bytes: 0, status: 413 }',
    'F:4:19: operations.addBook.body-limit.bytes: must be at least 1, but is 0.',
  ],
  ['answers: [', 'F:1:'],
])('refuses %j with its line and column', async (text, said) => {
  expect(await complain(text)).toContain(said);
});

test('refuses an answer that stands twice', async () => {
  expect(await complain('{"answers": {"echo": "none", "echo": "exact"}}', 'json')).toContain('stands twice');
});

test('names the operation that was meant, at its line and column', async () => {
  const contract = await loadContract(document, { followReferences: false });
  const file = await write('answers: {}\noperations:\n  addBok: { echo: none }\n');
  const read = await readPolicyFile(file);
  expect(() => read.checkOperations(contract)).toThrow(
    `Failed to read "${file}": ${file}:3:3: operations.addBok: the document has no operation "addBok". Perhaps "addBook" was meant.`,
  );
});

test('says what to do where there is no such file', async () => {
  const file = join(folder, 'none.yaml');
  await expect(readPolicyFile(file)).rejects.toThrow(
    `Failed to read the policy "${file}": there is no such file. Name a file that there is, or have one written by cloche learn.`,
  );
});

test('of the policy beside a document a run takes what is sent back, and which tokens are good', async () => {
  const answers = 'answers: { echo: exact, accepted-tokens: listed, duplicate-key: conflict }';
  await writeFile(
    join(folder, 'beside.policy.yml'),
    `${answers}\noperations: { addBook: { echo: none, accept: 406 } }`,
  );
  expect(await readRunAnswers(join(folder, 'beside.yaml'))).toEqual({
    echo: 'exact',
    'accepted-tokens': 'listed',
    operations: { addBook: { echo: 'none' } },
  });
  expect(await readRunAnswers(join(folder, 'other.yaml'))).toEqual({});
  expect(await readRunAnswers('https://example.com/beside.yaml')).toEqual({});
});

test('a policy beside a document is not passed over where it is wrong', async () => {
  await writeFile(join(folder, 'wrong.policy.json'), '{"answers": {"ecoh": "exact"}}');
  await expect(readRunAnswers(join(folder, 'wrong.yaml'))).rejects.toThrow('Perhaps "echo" was meant');
});
