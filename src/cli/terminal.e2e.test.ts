import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';

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

test('forwards on when nobody reads its output any more', { timeout: minute }, async () => {
  const ready = /(?:mocked|by proxy) on (\S+)\n/u;
  const mock = await startCommand(['mock', '--port', '0', '--token', 't', '--quiet'], { folder, ready });
  const words = ['proxy', mock.url, '--port', '0', '--token', 't', '--report', 'json=proxied.json'];
  const proxy = await startCommand(words, { folder, ready });
  proxy.process.stdout?.destroy();
  proxy.process.stderr?.destroy();
  for (let id = 1; id <= 20; id += 1) {
    const answer = await fetch(`${proxy.url}/plants`, {
      method: 'POST',
      headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, name: 'Basil' }),
    });
    expect([id, answer.status, await answer.json()]).toEqual([id, 200, { name: 'Basil' }]);
  }
  expect((await proxy.stop()).code).toBe(0);
  const report: { findings: unknown } = JSON.parse(readFileSync(join(folder, 'proxied.json'), 'utf8'));
  expect(report.findings).toEqual([]);
  expect((await mock.stop()).code).toBe(0);
});
