import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { contractOfCollection } from '../../../fixtures/judge-collection.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import { loadCollections } from '../../../fixtures/services/collections/catalogue.js';
import type { CollectionService } from '../../../fixtures/services/collections/service.ts';
import { loadContract } from '../../contract/load.ts';
import type { RunResult } from '../../events/events.ts';
import { createMock } from '../../mock/create-mock.ts';
import { createPolicy, everyBehaviour, type Policy } from '../../policy/policy.ts';
import { runSuites } from '../run.ts';
import { openUrlTarget } from '../../session/url-target.ts';
import { allSuites } from '../../../suites/all-suites.ts';
const { correct, faulty } = await loadCollections();

/** Compares a mock of a policy, taken for a service that nothing is known of, with a mock of the default. */
async function compareMocks(name: string, policy: Partial<Policy>, runs = 5): Promise<RunResult> {
  const file = fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url));
  const contract = await loadContract(file, { followReferences: false });
  const token = 'gardener:another-token';
  const mock = await createMock(contract, { tokens: [mockToken], policy });
  const other = await createMock(contract, { tokens: [token] });
  const against = {
    name: 'the in-process mock',
    names: { tested: 'the service', other: 'the mock' },
    send: other.send,
    policy: other.policy,
    enforced: everyBehaviour,
    echo: 'violation',
    token,
  } as const;
  return runOnMock({ mock, enforced: false, runs, against });
}

function differences({ findings }: RunResult): readonly string[] {
  return findings.flatMap(({ finding: { parity, operation, cause } }) =>
    parity === undefined ? [] : [`${operation} ${cause}`],
  );
}

test.each(
  drawCases(['articles.yaml', 'etags.yaml', 'feeds.yaml', 'library.yaml', 'lists.yaml', 'projects.yaml'], 6),
)('two equal mocks of %s do not differ, though each makes ids and times of its own', async (name) => {
  const result = await compareMocks(name, {});
  expect(differences(result)).toEqual([]);
  expect(result.parity?.proposal).toEqual({ answers: {}, operations: {}, unsure: [] });
});

const different: readonly (readonly [policy: Partial<Policy>, difference: string])[] = [
  [{ 'unknown-key-replaced': 'create' }, 'replaceProject unknown-key-replaced: "create"'],
  [{ 'deleted-again': 'success' }, 'deleteProject deleted-again: "success"'],
  [{ 'patch-notation': 'replace' }, 'updateProject patch-notation: "replace"'],
  [{ 'list-order': 'newest-first' }, 'listProjects list-order: "newest-first"'],
  [{ 'list-order': 'any' }, 'listTasks list-order: "any"'],
  [{ 'missing-parent': 'empty-list' }, 'listTasks missing-parent: "empty-list"'],
  [{ 'missing-parent': 'create' }, 'createTask missing-parent: "create"'],
  [{ 'read-only-sent': 'refuse' }, 'createProject read-only-sent: "refuse"'],
  [{ 'unknown-query-parameter': 'refuse' }, 'listProjects unknown-query-parameter: "refuse"'],
  [{ 'deleted-parent': 'refuse' }, 'deleteProject deleted-parent: "refuse"'],
];

test.each(drawCases(different, 6))('names what a mock with %j does otherwise', async (policy, difference) => {
  expect(differences(await compareMocks('projects.yaml', policy, 8))).toContain(difference);
});

/** Compares two services, and says what they are left with. */
async function compareServices(
  tested: CollectionService,
  other: CollectionService,
): Promise<{ readonly result: RunResult; readonly left: readonly unknown[] }> {
  const contract = contractOfCollection(tested);
  const started = await Promise.all(
    [tested, other].map(async (service) => {
      const server = service.create({ token: 't' });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      // `as`: a server that listens on a port has an address with one.
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const target = await openUrlTarget({ contract, baseUrl, token: 't', timeoutMs: 30_000, answers: {} });
      return { server, baseUrl, target };
    }),
  );
  const [one, two] = started;
  if (one === undefined || two === undefined) throw new Error('There are two.');
  const result = await runSuites(
    allSuites.filter(({ id }) => id === 'life-cycles' || id === 'policy-answers'),
    one.target,
    {
      seed: 1,
      runs: 20,
      keys: [1_000, 2_000_000],
      against: {
        name: two.baseUrl,
        names: { tested: 'the service', other: 'the other service' },
        send: two.target.send,
        policy: createPolicy({}),
        enforced: new Set(),
        echo: undefined,
        token: 't',
      },
    },
  );
  const left = await Promise.all(
    started.map(async ({ server, baseUrl, target }) => {
      const [path = ''] = Object.keys(Object(tested.document).paths);
      const answer = await fetch(`${baseUrl}${path}`, { headers: { Authorization: 'Bearer t' } });
      const shown: unknown = await answer.json();
      await target.close();
      server.closeAllConnections();
      server.close();
      return shown;
    }),
  );
  return { result, left };
}

test.each(drawCases(correct, 6))(
  'a service that $title does not differ from its like, and both are left as they were',
  async (service) => {
    const { result, left } = await compareServices(service, service);
    expect(differences(result)).toEqual([]);
    expect(left[0]).toEqual(left[1]);
    expect(JSON.stringify(left[0])).not.toContain('"id"');
  },
);

const wrong: readonly (readonly [id: string, fault: string, operation: string])[] = [
  ['put-keeps-note', 'replace-is-partial note still there', 'replaceProject'],
  ['name-cut-in-store', 'read-after-write name cut off', 'createProject'],
  ['limit-ignored', 'limit-ignored limit ignored', 'listProjects'],
  ['password-in-read', 'write-only-shown password', 'readMember'],
  ['head-is-not-found', 'head-differs status', 'readProject'],
];

test.each(drawCases(wrong, 6))(
  'names who is wrong where one of two services has a fault: %s',
  async (id, fault, operation) => {
    const service = faulty.find((each) => each.id === id);
    const honest = correct.find(({ entry }) => entry.api === service?.entry.api);
    if (service === undefined || honest === undefined) throw new Error(`there is no service ${id}`);
    const verdicts = ({ findings }: RunResult): readonly string[] =>
      findings.map(
        ({ finding }) =>
          `${finding.check} ${finding.operation} ${finding.cause} ${finding.parity?.verdict.kind}`,
      );
    const [check = '', ...cause] = fault.split(' ');
    const tested = await compareServices(service, honest);
    expect(verdicts(tested.result)).toContain(`${check} ${operation} ${cause.join(' ')} tested-wrong`);
    const other = await compareServices(honest, service);
    expect(verdicts(other.result)).toContain(`parity ${operation} ${fault} other-wrong`);
  },
);
