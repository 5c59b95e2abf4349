import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { clocheMain, runCloche } from '../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-scarce-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!existsSync('/dev/full')).each(['json', 'har', 'html', 'junit'])(
  'says that a report is lost where its disk is full (skipped without /dev/full): %s',
  { timeout: minute },
  async (kind) => {
    const words = ['test', '--seed', '7', '--runs', '2', '--suite', 'valid-bodies'];
    const { code, stderr } = await runCloche([...words, '--report', `${kind}=/dev/full`], { folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the disk is full')]);
    expect(stderr).not.toMatch(/^ +at /mu);
  },
);

test.skipIf(process.platform === 'win32')(
  'tries a service on 100 connections with 64 open files (skipped on Windows)',
  { timeout: 2 * minute },
  async () => {
    const mock = await startCommand(['mock', '--port', '0', '--token', 't', '--quiet'], {
      folder,
      ready: /(http:\/\/\S+)\n/u,
    });
    const words = `test ${mock.url} --token t --seed 7 --runs 5 --connections 100 --suite valid-bodies`;
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -n 64; exec "$0" "${clocheMain}" ${words}`, process.execPath],
      { cwd: folder, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([
      expect.toBeOneOf([0, 3]),
      expect.not.stringMatching(/itself failed|^ +at /mu),
    ]);
    expect((await mock.stop()).code).toBe(0);
  },
);
