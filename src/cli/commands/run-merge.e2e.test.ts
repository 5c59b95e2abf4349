import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startService } from '../../../fixtures/start-service.ts';

const minute = 60_000;
const token = 'secret-token-of-the-test';
const folder = mkdtempSync(join(tmpdir(), 'cloche-merge-'));
const servers: Server[] = [];
let service = '';

const cloche = (...words: readonly string[]): Promise<Ended> => runCloche(words, { folder });
const at = (file: string): string => join(folder, file);
const read = (file: string) => JSON.parse(readFileSync(at(file), 'utf8'));

/** Writes a copy of a report with other members. */
function change(file: string, from: string, changes: object): string {
  writeFileSync(at(file), JSON.stringify({ ...read(from), ...changes }));
  return file;
}

async function start(id: string): Promise<string> {
  const { server, url } = await startService(id, token);
  servers.push(server);
  return url;
}

function testShard(index: number, ...words: readonly string[]): Promise<Ended> {
  const report = `json=shard-${index}.json`;
  return cloche(
    'test',
    service,
    '--token',
    token,
    '--runs',
    '8',
    '--shard',
    `${index}/3`,
    '--report',
    report,
    ...words,
  );
}

const shards = ['shard-1.json', 'shard-2.json', 'shard-3.json'];
let ended: readonly Ended[] = [];

beforeAll(async () => {
  await buildWhenStale();
  service = await start('errors-with-200');
  ended = [await testShard(1), await testShard(2), await testShard(3, '--min-coverage', '90')];
}, 4 * minute);

afterAll(() => {
  servers.forEach((server) => server.close());
  rmSync(folder, { recursive: true, force: true });
});

const coverageOf = (report: string) =>
  read(report).coverage.map(({ responses, keywords, statuses, reason }: Record<string, unknown[]>) => ({
    statuses,
    reason,
    responses: responses?.map((one) => ({
      ...(one as object),
      seen: Number((one as { seen: number }).seen > 0),
    })),
    keywords: keywords?.map((one) => {
      const { met, broken, ...rest } = one as { met: number; broken: number };
      return { ...rest, met: met > 0, broken: broken > 0 };
    }),
  }));
const idsOf = (report: string): readonly string[] =>
  read(report)
    .findings.map(({ id }: { id: string }) => id)
    .toSorted();

test('makes of three shards the report of the whole run', { timeout: 2 * minute }, async () => {
  const whole = await cloche(
    'test',
    service,
    '--token',
    token,
    '--runs',
    '8',
    '--seed',
    '1',
    '--report',
    'json=whole.json',
  );
  const files = ['json=merged.json', 'junit=junit.xml', 'html=report.html', 'github=github.txt'];
  const merged = await cloche(
    'merge',
    ...shards.toReversed(),
    ...files.flatMap((file) => ['--report', file]),
  );
  expect(ended.map(({ stdout }) => /seed 1, shard \d of 3/u.test(stdout))).toEqual([true, true, true]);
  expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: whole.code, stderr: whole.stderr });
  expect(idsOf('merged.json')).toEqual(idsOf('whole.json'));
  expect(coverageOf('merged.json')).toEqual(coverageOf('whole.json'));
  // The third shard demands a coverage.
  const { operations, words, ...verdict } = read('whole.json').verdict;
  // Each shard sends what every run needs, so it creates some more items.
  const found = words.replace(/; created .*$/u, '');
  expect(read('merged.json').verdict).toEqual({
    ...verdict,
    words: expect.stringContaining(`${found}; created `),
    operations: { ...operations, demandedPercent: 90 },
  });
  const names = (report: string) =>
    read(report)
      .properties.map((one: { property: string }) => one.property)
      .toSorted();
  expect(names('merged.json')).toEqual(names('whole.json'));
  expect(merged.stdout).toContain(`Merged 3 shards of a test of ${service}`);
  const { latency } = read('merged.json');
  const responses = shards.flatMap((shard) =>
    read(shard).latency.operations.map((one: { responses: number }) => one.responses),
  );
  expect(latency.operations).toMatchObject([{ operation: 'createPlant', p50: expect.any(Number) }]);
  expect(latency.operations[0].responses).toBe(responses.reduce((sum, count) => sum + count, 0));
  expect(latency.operations[0]).not.toHaveProperty('bins');
  // Each finding has its curl line and its replay, and no secret.
  const [finding] = read('merged.json').findings;
  expect(finding.requests.at(-1).curl).toContain('Authorization: Bearer $CLOCHE_TOKEN');
  expect(merged.stdout).toContain('To paste a request, set this first:');
  for (const file of ['merged.json', 'junit.xml', 'report.html', 'github.txt']) {
    const text = readFileSync(at(file), 'utf8');
    expect(text).toContain(finding.id);
    expect(text).not.toContain(token);
  }
  expect(readFileSync(at('report.html'), 'utf8')).not.toContain('No request was sent');
});

test('replays a finding at the service of its shard', { timeout: minute }, async () => {
  const elsewhere = shards.map((shard, at) =>
    change(`at-${at}.json`, shard, { command: `npx cloche test http://shard-${at + 1}` }),
  );
  const merged = await cloche('merge', ...elsewhere, '--report', 'json');
  const { findings } = JSON.parse(merged.stdout);
  expect(findings.length).toBeGreaterThan(1);
  for (const { id, replay } of findings) {
    const [, shard] = /^npx cloche test http:\/\/shard-(\d) --seed/u.exec(replay.command) ?? [];
    const found = read(`shard-${shard}.json`).findings;
    expect(found).toContainEqual(
      expect.objectContaining({ id, replay: expect.objectContaining({ path: replay.path }) }),
    );
  }
});

test('runs the case of a replay line of a merged report', { timeout: minute }, async () => {
  const merged = await cloche('merge', ...shards, '--report', 'json');
  const [{ id, replay }] = JSON.parse(merged.stdout).findings;
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
  expect(again.stdout).toContain(id);
});

test(
  'applies the rules of the shards to all of them, and a baseline to what they found',
  { timeout: minute },
  async () => {
    const strict = change('strict.json', 'shard-1.json', { strict: true });
    const counted = await cloche(
      'merge',
      strict,
      'shard-2.json',
      'shard-3.json',
      '--report',
      'json=strict-merged.json',
    );
    expect(read('strict-merged.json')).toMatchObject({ strict: true });
    expect(counted.code).toBe(1);
    const updated = await cloche('merge', ...shards, '--baseline', 'known.yaml', '--update-baseline');
    expect({ code: updated.code, stdout: updated.stdout }).toMatchObject({ code: 0 });
    const known = await cloche('merge', ...shards, '--baseline', 'known.yaml');
    expect(known.code).toBe(0);
    expect(known.stdout).toMatch(/PASS .* known/u);
  },
);

test('demands the coverage that the shards were given', { timeout: minute }, async () => {
  expect(ended[2]?.stdout).not.toContain('--min-coverage');
  const { shard } = read('shard-1.json');
  const demanding = change('demanding.json', 'shard-1.json', {
    shard: { ...shard, minCoverage: 100 },
    coverage: [{ ...read('shard-1.json').coverage[0], operation: 'other', accepted: 0, isUntested: true }],
  });
  const low = await cloche('merge', demanding, 'shard-2.json', 'shard-3.json');
  expect(low.stdout).toContain('where --min-coverage demands 100%');
  const given = await cloche('merge', demanding, 'shard-2.json', 'shard-3.json', '--min-coverage', '40');
  expect(given.stdout).not.toContain('--min-coverage demands');
});

const refused: readonly (readonly [name: string, words: readonly string[], sentence: string])[] = [
  [
    'a missing shard',
    ['shard-1.json', 'shard-3.json'],
    'shard 2 of 3 is missing. Add its report, or run it with --shard 2/3',
  ],
  [
    'a repeated shard',
    [...shards, 'shard-2.json'],
    'it is shard 2, as shard-2.json is. Name each shard once',
  ],
  [
    'another seed',
    ['seed.json', ...shards],
    '"shard-1.json": its seed is 1, and that of the first report is 2',
  ],
  [
    'another number of shards',
    ['total.json', ...shards],
    'it is one of 3 shards, and the first report is one of 4',
  ],
  ['another document', [...shards, 'document.json'], '"document.json": it tested another document'],
  ['another plan', [...shards, 'plan.json'], '"plan.json": it ran with other suites or options'],
  ['another version', [...shards, 'version.json'], 'Cloche 9.9.9 wrote it'],
  ['a whole run', ['whole-run.json'], 'it is the report of a whole run, not of a shard'],
  [
    'other JSON',
    ['other.json'],
    '"other.json": it is no JSON report of Cloche. Write one with cloche test --shard',
  ],
  ['a text', ['text.json'], '"text.json": it is no JSON'],
  ['no file', ['none.json'], '"none.json": there is no such file'],
  ['a damaged report', ['damaged.json'], '"damaged.json": it is damaged at /findings'],
  ['a har report', [...shards, '--report', 'har=a.har'], 'reports of shards do not have all exchanges'],
  ['another version of the document', [...shards, '-d', 'other.yaml'], 'the shards tested another document'],
  [
    'no document',
    ['moved.json', 'moved-2.json', 'moved-3.json'],
    'Run cloche merge in the folder where the shards ran',
  ],
];

test.each(drawCases(refused, 3))('refuses %s', { timeout: minute }, async (_name, words, sentence) => {
  const { shard, contract } = read('shard-1.json');
  change('seed.json', 'shard-1.json', { seed: 2 });
  change('total.json', 'shard-1.json', { shard: { ...shard, total: 4 } });
  change('document.json', 'shard-1.json', { shard: { ...shard, document: 'other' } });
  change('plan.json', 'shard-1.json', { shard: { ...shard, plan: 'other' } });
  change('version.json', 'shard-1.json', { tool: { name: 'cloche', version: '9.9.9' } });
  change('whole-run.json', 'shard-1.json', { shard: undefined });
  change('damaged.json', 'shard-1.json', { findings: 'none' });
  ['moved.json', 'moved-2.json', 'moved-3.json'].forEach((file, index) =>
    change(file, `shard-${index + 1}.json`, { contract: { ...contract, source: 'gone.yaml' } }),
  );
  writeFileSync(at('other.json'), '{"findings":[]}');
  writeFileSync(at('text.json'), 'findings: none');
  writeFileSync(at('other.yaml'), 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n');
  const { code, stdout, stderr } = await cloche('merge', ...words);
  expect({ code, stdout, stderr }).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(sentence),
  });
});

test(
  'ends as an interrupted shard, or one that could not judge the service',
  { timeout: minute },
  async () => {
    const interrupted = change('interrupted.json', 'shard-2.json', { end: { kind: 'interrupted' } });
    const cut = await cloche('merge', 'shard-1.json', interrupted, 'shard-3.json');
    expect({ code: cut.code, stdout: cut.stdout }).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('interrupted'),
    });
    const why = 'Failed to judge "x": it does not answer. Start it.';
    const lost = change('lost.json', 'shard-2.json', { end: { kind: 'broken-off', why } });
    const broken = await cloche('merge', 'shard-1.json', lost, 'shard-3.json');
    expect(broken.code).toBe(3);
    expect(broken.stdout).toContain('broken off');
    expect(broken.stderr).toBe(
      'Failed to judge "lost.json": its run broke off: it does not answer. Start it. Then run this shard again.\n',
    );
    const failed = change('failed.json', 'shard-2.json', { end: { kind: 'broken-off', why, exitCode: 4 } });
    expect((await cloche('merge', 'shard-1.json', failed, 'shard-3.json')).code).toBe(4);
  },
);

test.each([
  [['--shard', '0/3'], '"--shard 0/3": it takes the number of a shard'],
  [['--shard', '4/3'], 'Write it as in --shard 2/5'],
  [['--shard', '1/3', '--baseline', 'b.yaml', '--update-baseline'], 'one shard does not find everything'],
  [['--shard', '1/3', '--seed', '1', '--path', 'a/b:0'], 'shard and path'],
])('refuses cloche test %j', { timeout: minute }, async (words, sentence) => {
  const { code, stderr } = await cloche('test', service, '--token', token, ...words);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});
