import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { loadContract } from '../src/contract/load-contract.ts';
import { readPolicyBeside } from '../src/document/read-policy-beside.ts';
import { pickRunAnswers } from '../src/policy/pick-run-answers.ts';
import { openUrlTarget } from '../src/runner/open-url-target.ts';
import { runSuites } from '../src/runner/run-suites.ts';
import { allSuites } from './all-suites.ts';

const token = 'the-token-of-the-tests';
const contract = await loadContract(undefined, { followReferences: false });
const answers = pickRunAnswers(await readPolicyBeside(contract.source));
const { faulty } = await loadCatalogue();

/** Faults of different kinds; several of them show in requests that hold more than the one thing. */
const chosen = [
  '500-on-apostrophe',
  '500-on-fraction',
  '500-on-null-tag',
  '500-on-percent',
  '500-on-second-same-id',
  'any-scheme',
  'content-length-too-long',
  'html-for-malformed-json',
  'name-trimmed',
  'null-name-accepted',
  'tag-null-for-absent',
  'twins-merged',
];

/** The ids of what is found on a service that was just started. */
async function findIds(service: (typeof faulty)[number], seed: number): Promise<readonly string[]> {
  const server = service.create({ token });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const target = await openUrlTarget({
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    headers: [],
    connections: 10,
    timeoutMs: 1_000,
    insecure: false,
    ca: undefined,
    answers,
  });
  try {
    const { findings } = await runSuites({
      contract,
      suites: allSuites,
      send: target.send,
      socketSend: target.socketSend,
      target: target.name,
      policy: target.policy,
      told: target.told,
      echo: target.echo,
      token,
      seed,
      path: undefined,
      runs: 25,
      connections: 10,
      keys: [seed * 100_000, seed * 100_000 + 1_000_000],
      rate: undefined,
      rateWaitMs: 60_000,
      bail: false,
      unsafeMethods: true,
      signal: undefined,
      emit: () => undefined,
    });
    return findings.map(({ id }) => id).toSorted();
  } finally {
    await target.close();
    server.closeAllConnections();
    server.close();
  }
}

test.each(faulty.filter(({ id }) => chosen.includes(id)))(
  'what is found on a service that $title has the same ids for every seed and all keys ($id)',
  { timeout: 120_000 },
  async (service) => {
    const first = await findIds(service, 1);
    expect(first.length).toBeGreaterThan(0);
    expect(await findIds(service, 2)).toEqual(first);
    expect(await findIds(service, 3)).toEqual(first);
  },
);

test('every service chosen is in the catalogue', () => {
  expect(chosen.filter((id) => !faulty.some((service) => service.id === id))).toEqual([]);
});
