import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { openData } from './mock-setup.ts';
import { options, type Picked } from './options.ts';

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
