import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = tmpdir();

beforeAll(() => buildWhenStale(), 2 * minute);

async function printScript(words: readonly string[], env = {}): Promise<string> {
  const { code, stdout, stderr } = await runCloche(['completion', ...words], { folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test.each([
  [['cloche', 'mo'], 'mock'],
  [['cloche', 'mock', '--po'], '--policy'],
  [['cloche', 'completion', ''], 'powershell'],
])('completes %j with %s', { timeout: minute }, async (words, word) => {
  const { stdout } = await runCloche(['--get-yargs-completions', ...words], { folder });
  expect(stdout.split('\n')).toContain(word);
});

test.each([
  ['bash', /^complete .* cloche$/mu],
  ['zsh', /^#compdef cloche$/mu],
  ['fish', /^complete -f -c cloche /mu],
  ['powershell', /^Register-ArgumentCompleter -Native -CommandName cloche /mu],
])('prints the script of %s, which asks the command', { timeout: minute }, async (shell, registration) => {
  const script = await printScript([shell], { SHELL: '/bin/other' });
  expect(script).toMatch(registration);
  expect(script).toContain('cloche --get-yargs-completions ');
  const isInstalled = shell !== 'powershell' && spawnSync(shell, ['-c', 'true']).status === 0;
  if (isInstalled) execFileSync(shell, ['-n'], { input: script });
});

test('chooses the script by $SHELL', { timeout: minute }, async () => {
  const [zsh, fish] = await Promise.all(
    ['/bin/zsh', '/usr/bin/fish'].map((SHELL) => printScript([], { SHELL })),
  );
  expect(zsh).toContain('#compdef cloche');
  expect(fish).toContain('complete -f -c cloche');
});

test('refuses another shell', { timeout: minute }, async () => {
  const { code, stderr } = await runCloche(['completion', 'ksh'], { folder });
  expect(code).toBe(2);
  expect(stderr).toContain('Choices: "bash", "zsh", "fish", "powershell"');
});
