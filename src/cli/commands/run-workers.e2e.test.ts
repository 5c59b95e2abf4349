import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startService } from '../../../fixtures/start-service.ts';

const minute = 60_000;
const token = 'secret-token-of-the-test';
const folder = mkdtempSync(join(tmpdir(), 'cloche-run-workers-'));
const cloche = (...words: readonly string[]): Promise<Ended> => runCloche(words, { folder });
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
let server: Server | undefined;
let service = '';

beforeAll(async () => {
  await buildWhenStale();
  ({ server, url: service } = await startService('500-on-astral', token));
}, 2 * minute);

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

const testWith = (workers: number, ...words: readonly string[]): Promise<Ended> =>
  cloche(
    'test',
    service,
    '--token',
    token,
    '--header',
    'Cookie: sid=second-secret',
    '--seed',
    '7',
    '--workers',
    String(workers),
    ...words,
  );

test(
  'finds and replays the same with any number of workers',
  async () => {
    const one = await testWith(1, '--report', 'json=one.json');
    const three = await testWith(3, '--report', 'json=three.json');
    expect([one.code, three.code]).toEqual([1, 1]);
    expect(three.stdout).toContain(`Tested ${service}/ with 3 workers, seed 7`);
    const [whole, merged] = [read('one.json'), read('three.json')];
    const idsOf = ({ findings }: { findings: readonly { id: string }[] }): readonly string[] =>
      findings.map(({ id }) => id).toSorted();
    expect(idsOf(merged)).toEqual(idsOf(whole));
    expect(merged.properties).toHaveLength(whole.properties.length);
    expect(merged).not.toHaveProperty('shard');
    const set = /To paste a request, set this first:\n *export CLOCHE_TOKEN=.* CLOCHE_TOKEN_2=.*\n/u.exec(
      one.stdout,
    );
    expect(three.stdout).toContain(set?.[0] ?? 'the second secret');
    const [{ replay }] = merged.findings;
    const again = await cloche(
      'test',
      service,
      '--token',
      token,
      '--seed',
      String(replay.seed),
      '--path',
      replay.path,
    );
    expect(again.stdout).toContain(merged.findings[0].id);
  },
  3 * minute,
);

test(
  'ends with what was found until --max-time is over, and leaves nothing out if that is enough',
  async () => {
    const enough = await testWith(2, '--max-time', '100', '--report', 'json=enough.json');
    expect([enough.code, enough.stderr]).toEqual([1, '']);
    expect(enough.stdout).not.toContain('stopped by --max-time');
    const verdicts = read('enough.json').properties.map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).not.toContain('cut-off');
    const none = await testWith(2, '--max-time', '0.01');
    expect([none.code, none.stderr]).toEqual([
      3,
      expect.stringContaining('its time was over before a case of any suite was tried'),
    ]);
    // So many cases take minutes.
    const cut = await testWith(2, '--runs', '20000', '--max-time', '12', '--report', 'json=cut.json');
    expect([cut.code, cut.stderr]).toEqual([1, '']);
    expect(cut.stdout).toContain('stopped by --max-time');
    expect(read('cut.json').findings.length).toBeGreaterThan(0);
  },
  3 * minute,
);

test(
  'writes a new baseline, and starts no more threads than there may be connections',
  async () => {
    const one = await testWith(3, '--connections', '1', '--baseline', 'new.yaml', '--update-baseline');
    expect([one.code, one.stderr]).toEqual([0, expect.not.stringContaining('Failed')]);
    const two = await testWith(3, '--connections', '2', '--baseline', 'newer.yaml', '--update-baseline');
    expect(two.stdout).toContain('with 2 workers');
    const [first, second] = ['new.yaml', 'newer.yaml'].map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
    expect(first).toContain('server-error');
    expect(second).toBe(first);
  },
  3 * minute,
);

test(
  'ends all workers at the first violation with --bail',
  async () => {
    const { code } = await testWith(2, '--bail', '--report', 'json=bail.json');
    expect(code).toBe(1);
    expect(read('bail.json').end.kind).toBe('whole');
    expect(read('bail.json').figures.requests).toBeLessThan(read('one.json').figures.requests);
  },
  2 * minute,
);

test(
  'says once what stops all workers, and what cannot be shared out',
  async () => {
    server?.closeAllConnections();
    const unread = await testWith(2, '-d', 'nowhere.yaml');
    expect(unread.code).toBe(2);
    expect(unread.stderr.match(/nowhere\.yaml/gu)).toHaveLength(1);
    const refused = await testWith(2, '--shard', '1/2');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('it cannot be shared out to 2 workers');
    const har = await testWith(2, '--report', 'har=all.har');
    expect(har.stderr).toContain('Leave --workers out');
  },
  2 * minute,
);

test(
  'ends with the sentence and the exit code of a run without workers when it breaks off',
  async () => {
    writeFileSync(
      join(folder, 'broken.mjs'),
      `export default { hooks: { beforeRequest() { throw new Error('no key'); } } };`,
    );
    const commands: readonly (readonly string[])[] = [
      [service, '--token', token, '--extension', 'broken.mjs'],
      ['http://127.0.0.1:1', '--token', token],
    ];
    for (const words of commands) {
      const [alone, shared] = await Promise.all(
        ['1', '2'].map((workers) => cloche('test', ...words, '--workers', workers)),
      );
      expect(shared).toMatchObject({ code: alone?.code, stderr: alone?.stderr });
      expect(shared?.stderr).toMatch(/^Failed to [^\n]*\n$/u);
    }
  },
  2 * minute,
);
