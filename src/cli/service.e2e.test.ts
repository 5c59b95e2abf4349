import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createMock } from '../mock/create-mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-against-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

const cloche = (words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

test(
  'a service that answers a repeated key its own way: one silence, with the answer to add, for both base URLs',
  { timeout: minute },
  async () => {
    const mock = await createMock(undefined, {
      tokens: ['open-sesame'],
      policy: { 'duplicate-key': 'conflict' },
    });
    const { url, close } = await mock.listen();
    const words = ['test', url, '--token', 'open-sesame', '--suite', 'repeated-keys', '--runs', '5'];
    const report = join(folder, 'report.json');
    const { code, stdout } = await cloche([...words, '--against', 'mock', '--report', `json=${report}`]);
    const strict = await cloche([...words, '--against', 'mock', '--strict']);
    const alike = await cloche([...words, '--against', 'mock', '--answer', 'duplicate-key=conflict']);
    await close();
    expect([code, strict.code, alike.code]).toEqual([0, 1, 0]);
    expect(stdout.match(/^WARNING /gmu)).toHaveLength(1);
    expect(stdout).toContain('  verdict   not specified; to the policy add: duplicate-key: conflict\n');
    expect(stdout).toContain(
      '\nTo make the mock do the same, add to the policy:\n  answers:\n    duplicate-key: conflict\n',
    );
    expect(stdout).toContain(`  request   curl -sSi '${url}/`);
    expect(stdout).toContain(`  elsewhere curl -sSi 'http://127.0.0.1:4010/`);
    expect(stdout).not.toContain('open-sesame');
    expect(alike.stdout).toMatch(/\nCompared with the in-process mock: \d+ answers, all alike\.\n/u);
    expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({
      parity: { other: 'the in-process mock', answers: { 'duplicate-key': 'conflict' } },
      findings: [{ check: 'parity', parity: { verdict: 'silent', question: 'duplicate-key' } }],
    });
  },
);

test.each([
  [['--against', 'mokc'], 'it is neither mock nor an http or https URL'],
  [['--against', 'mock'], 'it would be compared with itself'],
  [['--against-token', 'hunter2'], 'there is no service that it would be for'],
  [['--against', 'http://user:hunter2@127.0.0.1:9'], 'it carries a user or a password'],
])('refuses %j with a sentence', { timeout: minute }, async (words, reason) => {
  const { code, stderr, stdout } = await cloche(['test', ...words]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr).not.toContain('hunter2');
});

test('another service that is not there is named', { timeout: minute }, async () => {
  const { code, stderr } = await cloche(['test', '--against', 'http://127.0.0.1:1', '--against-token', 't']);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^Failed to judge "http:\/\/127\.0\.0\.1:1\/"/u);
});
