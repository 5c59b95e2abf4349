import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Mock } from '../mock/mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-creates-'));
const token = 'user:the-token-of-staging';

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

const documentOf = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/documents/${name}.yaml`, import.meta.url));

/** Runs a command against a mock of a document, and returns what the mock saw. */
async function run(
  command: string,
  document: string,
  words: readonly string[],
): Promise<Ended & { readonly creates: number; readonly mock: Mock }> {
  await using mock = await createMock(documentOf(document), { tokens: [token], data: 'none' });
  const { url } = await mock.listen();
  const usual = ['-d', documentOf(document), '--token', token];
  const isGuarded = mock.contract.operations.some(({ security }) => security.length > 0);
  const ended = await runCloche([command, url, ...(isGuarded ? usual : usual.slice(0, 2)), ...words], {
    folder,
  });
  const creates = mock.requests.list({ status: 201 }).length;
  return { ...ended, creates, mock };
}

test.each(
  drawCases(
    [
      ['projects', 0],
      ['projects', 7],
      ['baskets', 1],
      ['library', 40],
    ] as const,
    2,
  ),
)(
  'a run on %s creates at most %i items and finds nothing',
  { timeout: 4 * minute },
  async (document, most) => {
    const words = ['--max-creates', String(most), '--runs', '5', '--seed', '3', '--strict'];
    const { code, stdout, stderr, creates } = await run('test', document, words);
    expect([code, stderr]).toEqual([0, '']);
    expect(creates).toBeLessThanOrEqual(most);
    expect(stdout).not.toContain('no property of this run');
    expect(stdout).toMatch(/Not checked: [\d,]+ cases, [^]*: not sent, because of --max-creates \d+/u);
  },
);

test('learn creates at most the given number of items', { timeout: 4 * minute }, async () => {
  const all = await run('learn', 'projects', ['--trials', '1']);
  expect([all.code, all.creates > 3]).toEqual([0, true]);
  for (const most of [0, 3]) {
    const { code, stderr, creates } = await run('learn', 'projects', [
      '--trials',
      '1',
      '--max-creates',
      `${most}`,
    ]);
    expect([code, creates <= most]).toEqual([0, true]);
    expect(stderr).toContain(`not sent, because of --max-creates ${most}`);
  }
});
