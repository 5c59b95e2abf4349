import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFileBytes, waitAtMost } from './read-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-read-'));
afterAll(() => rm(folder, { recursive: true }));

test('reads a regular file, and neither waits for a pipe nor reads a device', async () => {
  const options = { mayBePipe: false };
  await writeFile(join(folder, 'text'), 'é');
  expect(String(await readFileBytes(join(folder, 'text'), options))).toBe('é');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const file of [join(folder, 'pipe'), '/dev/zero']) {
    await expect(readFileBytes(file, options)).rejects.toThrow('it is a pipe or a device');
  }
  await writeFile(join(folder, 'sparse'), '');
  await truncate(join(folder, 'sparse'), 2 ** 40);
  await expect(readFileBytes(join(folder, 'sparse'), options)).rejects.toThrow('longer than 256 MiB');
  await expect(readFileBytes(folder, options)).rejects.toThrow('EISDIR');
});

test('gives up a read that does not end', async () => {
  const endless = new Promise<never>(() => undefined);
  await expect(waitAtMost(10, endless)).rejects.toThrow('it was not read within 0.01 seconds');
  expect(await waitAtMost(60_000, Promise.resolve(1))).toBe(1);
});
