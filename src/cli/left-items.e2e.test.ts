import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { createMock } from '../mock/create-mock.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-left-'));
const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Left {
  readonly path: string;
  readonly curl: string | null;
}

/** Runs few cases against a mock, and returns what it printed, its items in the JSON report, and what the mock saw. */
async function run(words: readonly string[], failing?: string) {
  await using mock = await createMock(document, { tokens: ['user:pass-of-staging'], data: 'none' });
  if (failing !== undefined) mock.faults.put({ operation: failing, answer: { status: 500 } });
  const { url } = await mock.listen();
  const args = ['test', url, '-d', document, '--seed', '5', '--runs', '5', '--report', 'json=run.json'];
  const isGuarded = mock.contract.operations.some(({ security }) => security.length > 0);
  const token = isGuarded ? ['--token', 'user:pass-of-staging'] : [];
  const { code, stdout } = await runCloche([...args, ...token, ...words], { folder });
  // `as`: the report has its published schema.
  const { items } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8')) as {
    readonly items: { readonly created: number; readonly deleted: number; readonly left: readonly Left[] };
  };
  const created = mock.requests.list({ status: 201 }).length;
  const deletes = mock.requests.list({ method: 'DELETE', verdict: 'accepted' }).length;
  return { code, stdout, url, items, created, deletes };
}

test(
  'the verdict counts the items that the service created and deleted',
  { timeout: 3 * minute },
  async () => {
    const { code, stdout, items, created, deletes } = await run(['--max-creates', '30']);
    expect(code).toBe(0);
    expect(items.created).toBe(created);
    expect(items.deleted).toBeLessThanOrEqual(deletes);
    expect(stdout).toMatch(new RegExp(`^PASS .*; created ${created} items, deleted ${items.deleted}$`, 'mu'));
  },
);

test(
  'items whose DELETE fails are listed with the line that deletes them',
  { timeout: 3 * minute },
  async () => {
    const words = ['--suite', 'valid-bodies'];
    const { stdout, url, items, created } = await run(words, 'deleteProject');
    expect(items.created).toBe(created);
    const curls = items.left.flatMap(({ curl }) => curl ?? []);
    expect(curls.length).toBeGreaterThan(20);
    expect(curls[0]).toContain(`curl -sSi -X DELETE '${url}${items.left[0]?.path}'`);
    const printed = stdout
      .split('\n')
      .filter((line) => line.includes('-X DELETE') && line.startsWith('  curl'));
    expect(printed.map((line) => line.trim())).toEqual(curls.slice(0, 20));
    expect(stdout).toContain(`and ${items.left.length - 20} more, which --report json lists`);
    expect(stdout).toMatch(/Left behind: .*up to \d+ items in \/projects \(their DELETE was rejected/u);
  },
);
