import { afterEach, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { recordedContract as contract } from '../../fixtures/judge-recording.ts';
import { judgeService } from '../../fixtures/judge-service.ts';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import type { Service } from '../../fixtures/services/service.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import type { Finding, Level } from '../check/finding.ts';
import { holdPolicy } from '../policy/policy.ts';
import { readRunAnswers } from '../policy/read-policy.ts';
import { TrafficJudge } from './judge-traffic.ts';
import { openProxy } from './server/proxy.ts';
import { createJudgingQueue } from './server/record.ts';
import { runSuites } from '../runner/run.ts';
import { openUrlTarget } from '../session/url-target.ts';
import { allSuites } from '../../suites/all-suites.ts';

const token = 'the-token-of-the-tests';
const runs = 5;
const answers = await readRunAnswers(contract.source);
const { faulty, conforming, warned } = await loadCatalogue();
const closer = createCloser();
afterEach(() => closer.closeAll());

function pick(id: string): Service {
  const service = [...conforming, ...faulty, ...warned].find((one) => one.id === id);
  if (service === undefined) throw new Error(`there is no service ${id}`);
  return service;
}

function nameChecks(
  found: readonly { readonly finding: Finding }[],
  levels: readonly Level[],
): readonly string[] {
  const named = found.filter(({ finding }) => levels.includes(finding.level));
  return [...new Set(named.map(({ finding }) => finding.check))].toSorted();
}

/** Runs the suites through a proxy, and judges what passes. */
async function judgeThrough(service: Service): Promise<{
  readonly run: readonly { readonly finding: Finding }[];
  readonly proxy: readonly { readonly finding: Finding }[];
}> {
  const port = await closer.listen(service.create({ token }));
  const baseUrl = new URL(`http://127.0.0.1:${port}${service.prefix ?? ''}`);
  const judge = new TrafficJudge({
    contract,
    target: baseUrl.href,
    from: 'the suites',
    ...holdPolicy({ beside: answers, given: { 'accepted-tokens': 'listed' } }),
    tokens: [token],
    emit: () => undefined,
  });
  const queue = createJudgingQueue((traffic) => void judge.read(traffic));
  const proxy = await openProxy({
    baseUrl,
    port: 0,
    host: '127.0.0.1',
    insecure: false,
    ca: undefined,
    judgeLimit: 1_048_576,
    mark: false,
    take: (traffic) => queue.add(traffic),
  });
  const target = await openUrlTarget({ contract, baseUrl: proxy.url, token, timeoutMs: 30_000, answers });
  const { findings } = await runSuites(allSuites, target, {
    seed: 1,
    runs,
    keys: [1_000, 2_000_000],
    unsafeMethods: true,
    signal: new AbortController().signal,
  });
  await target.close();
  await proxy.close();
  queue.flush();
  return { run: findings, proxy: judge.end().findings };
}

test.each(drawCases(['gzip', 'http-1.0-answer', 'name-unique-409'], 3))(
  'neither the suites behind a proxy nor the proxy accuse a conforming service: %s',
  async (id) => {
    const { run, proxy } = await judgeThrough(pick(id));
    expect(nameChecks(run, ['violation'])).toEqual([]);
    expect(nameChecks(proxy, ['violation', 'warning'])).toEqual([]);
  },
);

test.each(drawCases(['500-on-non-ascii', 'answer-empty', '422-for-invalid', 'any-token'], 2))(
  'the suites through a proxy, the proxy and a direct run come to the same: %s',
  async (id) => {
    const service = pick(id);
    const direct = nameChecks((await judgeService({ service, runs })).findings, ['violation']);
    const { run, proxy } = await judgeThrough(service);
    expect(nameChecks(run, ['violation'])).toEqual(direct);
    expect(nameChecks(proxy, ['violation'])).toEqual(direct);
  },
);

test.each([
  ['chunks-malformed', 'chunked-content'],
  ['content-length-too-short', 'content-length'],
  ['content-with-204', 'bodiless-status'],
])('the proxy sees framing that is broken where it meets it: %s', async (id, check) => {
  const { proxy } = await judgeThrough(pick(id));
  expect(nameChecks(proxy, ['violation'])).toEqual([check]);
});
