import { mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { createFileMemory, watchSources } from './watch-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-memory-'));

afterAll(() => rm(folder, { recursive: true }));

test('a file changes where it holds something else, not where it is written again', async () => {
  const file = join(folder, 'a');
  await writeFile(file, '1');
  const later = Date.now() + 60_000;
  const earlier = later - 120_000;
  const memory = createFileMemory();
  expect([...(await memory.look([file], later))]).toEqual([]);
  await writeFile(file, '1');
  expect([...(await memory.look([file], earlier))]).toEqual([]);
  await writeFile(file, '2');
  expect([...(await memory.look([file], earlier))]).toEqual([[file, 'changed']]);
  await rm(file);
  expect([...(await memory.look([file], later))]).toEqual([[file, 'changed']]);
});

test('a file that was written before it was read may have been read as it is', async () => {
  const file = join(folder, 'c');
  await writeFile(file, '1');
  const memory = createFileMemory();
  expect([...(await memory.look([file], Date.now() - 60_000))]).toEqual([[file, 'may-have-changed']]);
  await writeFile(file, '2');
  expect([...(await memory.look([file], Date.now() + 60_000))]).toEqual([[file, 'may-have-changed']]);
});

test('a file that is written while it is looked at for the first time has changed', async () => {
  const file = join(folder, 'b');
  await writeFile(file, '1');
  const memory = createFileMemory();
  const first = memory.look([file], Date.now() - 60_000);
  await writeFile(file, '2');
  const seen = [...(await first).keys(), ...(await memory.look([file], Date.now())).keys()];
  expect(seen).toContain(file);
});

test('a file that became a link to an older one after it was read has changed', async () => {
  const [file, older] = [join(folder, 'e'), join(folder, 'older')];
  await writeFile(older, '2');
  await utimes(older, 1, 1);
  await setTimeout(50);
  const began = Date.now();
  await symlink(older, file);
  expect([...(await createFileMemory().look([file], began))]).toEqual([[file, 'may-have-changed']]);
});

test('a source that could not be used is read again when its files are written again', async () => {
  const file = join(folder, 'd');
  await writeFile(file, '1');
  const told: string[] = [];
  let isBroken = true;
  const close = watchSources({
    sources: [
      {
        files: () => [file],
        async takeUp() {
          // Another file was bad for a moment, and this one is as it was when that was noticed.
          if (isBroken) throw new Error('bad');
          return [];
        },
      },
    ],
    since: Date.now() - 60_000,
    tell: ({ lines: [first = ''] }) => told.push(first),
  });
  await vi.waitUntil(() => told.length > 0);
  isBroken = false;
  await writeFile(file, '1');
  await expect.poll(() => told).toContainEqual(expect.stringContaining('can be used again'));
  close();
});
