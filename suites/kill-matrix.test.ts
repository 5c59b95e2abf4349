import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { loadContract } from '../src/contract/load-contract.ts';
import { readPolicyBeside } from '../src/document/read-policy-beside.ts';
import { pickRunAnswers } from '../src/policy/pick-run-answers.ts';
import { openUrlTarget } from '../src/runner/open-url-target.ts';
import type { RunResult } from '../src/runner/run-event.ts';
import { runSuites } from '../src/runner/run-suites.ts';
import { allSuites } from './all-suites.ts';

const token = 'the-token-of-the-tests';
const contract = await loadContract(undefined, { followReferences: false });
const answers = pickRunAnswers(await readPolicyBeside(contract.source));
const { correct, faulty, conforming } = await loadCatalogue();

interface Kill {
  readonly id: string;
  readonly check: string;
  readonly requests: number;
  readonly ms: number;
}
const kills: Kill[] = [];

/** Runs the suites on a service, on a real port, until a check finds something or to the end. */
async function judge(service: typeof correct, until: string | undefined): Promise<RunResult> {
  const server = service.create({ token });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const target = await openUrlTarget({
    baseUrl: `http://127.0.0.1:${port}${service.prefix ?? ''}`,
    token,
    headers: [],
    connections: 10,
    timeoutMs: 1_000,
    insecure: false,
    ca: undefined,
    answers,
  });
  const controller = new AbortController();
  const startedAt = performance.now();
  let requests = 0;
  try {
    return await runSuites({
      contract,
      suites: allSuites,
      send: target.send,
      socketSend: target.socketSend,
      target: target.name,
      policy: target.policy,
      told: target.told,
      echo: target.echo,
      token,
      seed: Number(process.env['CLOCHE_SEED'] ?? 1),
      path: undefined,
      runs: 100,
      connections: 10,
      keys: [1_000, 2_000_000],
      rate: undefined,
      rateWaitMs: 60_000,
      bail: false,
      unsafeMethods: true,
      signal: controller.signal,
      emit: (event) => {
        requests += event.kind === 'exchange' ? 1 : 0;
        if (
          event.kind === 'finding' &&
          event.finding.finding.check === until &&
          event.finding.finding.level === 'violation'
        ) {
          kills.push({ id: service.id, check: until, requests, ms: performance.now() - startedAt });
          controller.abort();
        }
      },
    });
  } finally {
    await target.close();
    server.closeAllConnections();
    server.close();
  }
}

function violations(result: RunResult): readonly string[] {
  return result.findings
    .filter(({ finding }) => finding.level === 'violation')
    .map(
      ({ finding, exchange }) =>
        `${finding.check}: ${finding.expected}; received ${finding.received}; cause ${finding.cause}; body ${new TextDecoder().decode(exchange.exchange.request.body?.slice(0, 300))}`,
    );
}

test.each(faulty)('$title is found by $expects ($id)', { timeout: 60_000 }, async (service) => {
  const result = await judge(service, service.expects);
  expect(
    result.findings
      .filter(({ finding }) => finding.level === 'violation')
      .map(({ finding }) => finding.check),
  ).toContain(service.expects);
});

test.each([correct, ...conforming])(
  'no violation on a service that $title ($id)',
  { timeout: 120_000 },
  async (service) => {
    expect(violations(await judge(service, undefined))).toEqual([]);
  },
);

afterAll(() => {
  const rows = kills.map(
    ({ id, check, requests, ms }) =>
      `${id.padEnd(32)} ${check.padEnd(26)} ${String(requests).padStart(6)} requests ${ms.toFixed(0).padStart(6)} ms`,
  );
  process.stdout.write(`\nFault, the check that found it, and what it took:\n${rows.join('\n')}\n`);
});
