import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, afterAll } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { FaultRule } from '../mock/faults/fault.ts';
import { readArguments } from './arguments.ts';
import { describeData, readCors, openData, openFaults } from './mock-setup.ts';
import type { Picked } from '../config/command-options.ts';
import { options } from '../config/options.ts';

const nothing = {
  source: 'given' as const,
  collections: [],
  added: 0,
  present: 0,
  replaced: 0,
  removed: 0,
  left: [],
  short: [],
};

test('says how many rows are new, and how many were there already', () => {
  expect(describeData(undefined)).toEqual([]);
  expect(describeData(nothing)).toEqual(['The data to start from: no rows.']);
  expect(describeData({ ...nothing, added: 1, present: 2 })).toEqual([
    'The data to start from: 1 row added, 2 rows there already.',
  ]);
});

test('says how many rows came into which collections, those of one name together', () => {
  const collections = [
    { name: '/pets', count: 2 },
    { name: '/pets/1/toys', count: 3 },
    { name: '/pets/2/toys', count: 4 },
  ];
  expect(describeData({ ...nothing, collections, added: 9 })).toEqual([
    'The data to start from: 9 rows added (2 in /pets, 7 in …/toys).',
  ]);
  expect(describeData({ ...nothing, collections, added: 2, present: 7 })).toEqual([
    'The data to start from: 2 rows added, 7 rows there already.',
  ]);
});

test('names the rows that were left out, as far as they are few', () => {
  const row = { collection: '/orders', index: 0, reason: 'its name is taken' };
  const left = [{ ...row, place: 'orders.yaml:2:3' }, ...Array.from({ length: 11 }, () => row)];
  const lines = describeData({ ...nothing, replaced: 1, removed: 1, left });
  expect(lines.slice(0, 3)).toEqual([
    'The data to start from: 1 row replaced, 1 row taken away, 12 rows left out.',
    '  orders.yaml:2:3: its name is taken',
    '  /orders, row 1: its name is taken',
  ]);
  expect(lines.slice(-1)).toEqual(['  and 2 more']);
});

test('names the collections that examples of the document were put into', () => {
  const collections = [
    { name: '/pets', count: 3 },
    { name: '/pets/1/toys', count: 1 },
  ];
  expect(describeData({ ...nothing, source: 'examples', collections, added: 4 })).toEqual([
    "Put in from the document's examples: 3 in /pets, 1 in /pets/1/toys.",
  ]);
});

test('says for which collections too few rows were made up', () => {
  const short = [
    { collection: '/orders', made: 2, wanted: 50, reason: 'alike' },
    { collection: '/shops/{shop}/orders', made: 9999, wanted: 90_000, reason: 'many-nested' },
  ] as const;
  expect(describeData({ ...nothing, added: 2, short })).toEqual([
    'The data to start from: 2 rows added.',
    '  /orders: only 2 of 50 were generated, as no more were found that differ and that it takes',
    '  /shops/{shop}/orders: only 9999 of 90000 were generated, as no more than 10,000 are generated below other items; a smaller --data-count gives each as many',
  ]);
});

test.each([
  [true, [], {}],
  [true, ['http://a', 'http://b'], { origins: ['http://a', 'http://b'] }],
  [false, [], false],
])('cors %s with the origins %j is %j', (cors, origins, expected) => {
  expect(readCors({ cors, 'cors-origin': origins })).toEqual(expected);
});

test('refuses an origin where no page is let in', () => {
  expect(() => readCors({ cors: false, 'cors-origin': ['http://a'] })).toThrow(
    'Failed to read the option "--cors-origin http://a": --no-cors lets no page of another origin in. Leave one of them out.',
  );
});

const folder = await mkdtemp(join(tmpdir(), 'cloche-data-'));

afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const none = { data: undefined, 'data-count': undefined, seed: undefined };

/** Reads options as they are written. */
function read(values: Readonly<Record<string, unknown>>): Picked<keyof typeof none> {
  const { data, 'data-count': count, seed } = options;
  return readArguments<Picked<keyof typeof none>>({
    options: { data, 'data-count': count, seed },
    values,
  });
}

test('nothing is asked for where no option is given', async () => {
  expect(await openData(none)).toEqual({});
});

test('reads the file, how many rows to make up, and the seed', async () => {
  const data = await write('orders.yaml', '/orders:\n  - id: 1\n');
  expect(await openData(read({ data, 'data-count': 50, seed: '-7' }))).toEqual({
    data: { '/orders': [{ id: 1 }] },
    dataCount: 50,
    seed: -7,
  });
});

test('a byte order mark before data is passed over', async () => {
  const data = await write('marked.json', '\uFEFF[{"id":1}]');
  expect(await openData({ ...none, data })).toEqual({ data: [{ id: 1 }] });
});

test('says why a file cannot be read', async () => {
  const missing = join(folder, 'missing.json');
  await expect(openData({ ...none, data: missing })).rejects.toMatchObject({
    code: 'DATA_INVALID',
    message: `Failed to read the data of "${missing}": there is no such file. Name a file that can be read, or a URL.`,
  });
  await expect(openData({ ...none, data: folder })).rejects.toThrow('it is a folder');
  const bytes = await write('bytes.json', Uint8Array.of(0x5b, 0xff, 0x5d));
  await expect(openData({ ...none, data: bytes })).rejects.toThrow('it is not UTF-8. Save it as UTF-8.');
});

test.each([
  [{ 'data-count': '-1' }, '"--data-count -1": it takes a whole number from 0 to 100000'],
  [{ 'data-count': 'many' }, '"--data-count many"'],
  [{ 'data-count': [1, 2] }, '"--data-count": it is given 2 times'],
  [{ seed: '1.5' }, '"--seed 1.5": it takes a whole number'],
  [{ data: '' }, '"--data": its value is empty'],
])('refuses %o', (given, sentence) => {
  expect(() => read(given)).toThrow(`Failed to read the option ${sentence}`);
});

const plantStore = fileURLToPath(new URL('../../spec/plant-store.yaml', import.meta.url));
const contract = await loadContract(plantStore, { followReferences: false });
const faultsFolder = await mkdtemp(join(tmpdir(), 'cloche-faults-'));

afterAll(() => rm(faultsFolder, { recursive: true, force: true }));

async function openFile(name: string, text: string): Promise<readonly FaultRule[]> {
  const file = join(faultsFolder, name);
  await writeFile(file, text);
  return openFaults({ delay: undefined, faults: file }, contract);
}

test('reads a delay, and a range of delays, as a rule for all', async () => {
  const open = (delay: string | undefined): Promise<readonly FaultRule[]> =>
    openFaults({ delay, faults: undefined }, contract);
  expect(await open('200')).toEqual([{ id: 'delay', delay: 200 }]);
  expect(await open('200..400')).toEqual([{ id: 'delay', delay: [200, 400] }]);
  expect(await open(undefined)).toEqual([]);
});

test.each(['', 'soon', '400..200', '-1', '1s', '3600001', '1..'])('refuses %j for a delay', async (delay) => {
  await expect(openFaults({ delay, faults: undefined }, contract)).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    exitCode: 2,
  });
});

test('reads a list of rules, as YAML, as JSON, and as the control interface lists them', async () => {
  const rule = { operation: 'createPlant', share: 0.5, answer: { status: 503 } };
  expect(
    await openFile('faults.yaml', '- operation: createPlant\n  share: 0.50\n  answer: { status: 503 }\n'),
  ).toEqual([rule]);
  expect(await openFile('faults.json', JSON.stringify([rule]))).toEqual([rule]);
  const listed = { ...rule, id: 'fault-1', enabled: true, seen: 3, applied: 1 };
  expect(await openFile('listed.json', JSON.stringify({ faults: [listed] }))).toEqual([
    { ...rule, id: 'fault-1', enabled: true },
  ]);
  expect(await openFile('none.json', '[]')).toEqual([]);
});

test('puts the delay behind the rules of a file', async () => {
  const file = join(faultsFolder, 'drop.yaml');
  await writeFile(file, '- connection: drop\n  times: 1\n');
  const rules = await openFaults({ delay: '5', faults: file }, contract);
  expect(rules).toEqual([
    { connection: 'drop', times: 1 },
    { id: 'delay', delay: 5 },
  ]);
});

test('names each rule that cannot be used, at its line', async () => {
  const text = '- operation: creatPlant\n  delay: 5\n- connection: drop\n  tims: 2\n- {}\n';
  const message = await openFile('bad.yaml', text).catch((error: unknown) => String(error));
  const file = join(faultsFolder, 'bad.yaml');
  expect(message).toBe(
    [
      `ClocheError: Failed to read "${file}": it has 3 problems. Fix each of them.`,
      `  ${file}:1:3: [0].operation: there is no operation "creatPlant". Perhaps "createPlant" was meant.`,
      `  ${file}:4:3: [1].tims: there is no "tims". Perhaps "times" was meant.`,
      `  ${file}:5:3: [2]: must have "delay", "answer" or "connection". Write {"answer": {"status": 503}}.`,
    ].join('\n'),
  );
});

test('refuses two rules of one id, and what is no list', async () => {
  const twice = '[{"id": "a", "delay": 1},\n {"id": "a", "delay": 2}]';
  await expect(openFile('twice.json', twice)).rejects.toThrow(
    /twice\.json:2:3: \[1\]\.id: "a" names a rule already/u,
  );
  await expect(openFile('text.yaml', 'drop')).rejects.toThrow(/text\.yaml:1:1: must be a list of rules/u);
  await expect(openFaults({ delay: undefined, faults: join(faultsFolder, 'no') }, contract)).rejects.toThrow(
    /Failed to read the fault rules ".*no": there is no such file/u,
  );
});
