import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-lost-'));
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = ['test', '--runs', '1', '--suite', 'valid-bodies'];
const commands = [
  ['explain'],
  ['explain', '--json'],
  ['bundle'],
  ['learn', 'http://127.0.0.1:9', '--dry-run'],
  run,
  [...run, '--report', 'json'],
  [...run, '--report', 'har'],
  ['--help'],
];

test.skipIf(!existsSync('/dev/full')).each(commands)(
  'says that its output is lost where the disk is full (skipped without /dev/full): %s %s',
  { timeout: minute },
  async (...words) => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, ...words], {
      cwd: folder,
      stdio: ['ignore', full, 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (bytes) => {
      said += String(bytes);
    });
    const [code] = await once(child, 'close');
    closeSync(full);
    expect([code, said.split('the disk is full').length - 1]).toEqual([2, 1]);
    expect(said).toContain('Failed to write to "standard output": the disk is full.');
    expect(said).not.toContain('    at ');
  },
);

test.each(commands.filter((words) => !words.includes('--report')))(
  'takes a reader who has seen enough for no failure: %s %s',
  { timeout: minute },
  async (...words) => {
    const child = spawn(process.execPath, [main, ...words], { cwd: folder });
    let said = '';
    child.stderr.on('data', (bytes) => {
      said += String(bytes);
    });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, said]).toEqual([0, '']);
  },
);
