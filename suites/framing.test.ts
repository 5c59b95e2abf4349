import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { Contract } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/load.ts';
import { createSocketSend } from '../src/http/raw-client.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import type { Property } from '../src/runner/suite.ts';
import { actsOnService } from '../src/contract/service-operations.ts';
import { framing } from './framing.ts';
import type { Sequence } from './property.ts';
import { samples } from './samples.ts';
import { validBodies } from './valid-bodies.ts';

const folder = new URL('../fixtures/documents/', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(?:yaml|json)$/u.test(name));

function load(name: string | undefined): Promise<Contract> {
  const path = name === undefined ? undefined : fileURLToPath(new URL(name, folder));
  return loadContract(path, { followReferences: false });
}

const shipped = await load(undefined);

function propertiesOf(contract: Contract): readonly Property[] {
  const plan = framing.plan({ contract, policy: defaultPolicy, unsafeMethods: true });
  return plan.kind === 'properties' ? plan.properties : [];
}

/** What is sent, as `POST [Connection]`, without what repeats itself. */
function requestsOf(properties: readonly Property[]): readonly string[] {
  // `as`: every property of this suite runs sequences.
  const requests = properties.flatMap(({ examples }) => (examples as readonly Sequence[]).flat(2));
  return requests.map(({ method, headers, body, credentials }) => {
    const connection = headers.find(([name]) => name === 'Connection')?.[1];
    const content = body === undefined ? 'nothing' : body.every((part) => part === '{') ? '{' : 'a body';
    return `${method} ${content}, credentials ${credentials.kind}, ${connection}`;
  });
}

test('each operation gets plain and refused requests, and its path HEAD and OPTIONS', () => {
  const [closed, kept] = propertiesOf(shipped);
  const connections = [
    [closed, 'close'],
    [kept, 'keep-alive'],
  ] as const;
  for (const [property, connection] of connections) {
    expect(requestsOf(property === undefined ? [] : [property])).toEqual([
      `POST a body, credentials good, ${connection}`,
      `POST {, credentials good, ${connection}`,
      `POST a body, credentials none, ${connection}`,
      `HEAD nothing, credentials good, ${connection}`,
      `OPTIONS nothing, credentials good, ${connection}`,
    ]);
  }
});

test('what two operations have in common of their path is asked once', async () => {
  const contract = await load('ranges.json');
  const heads = requestsOf(propertiesOf(contract)).filter((request) => request.startsWith('HEAD'));
  const paths = new Set(contract.operations.map(({ path }) => path.template));
  expect(heads).toHaveLength(2 * paths.size);
});

test('in process it is said that framing is not checked, and what would enable it', async () => {
  const mock = await createMock(shipped, { tokens: [mockToken] });
  const result = await runOnMock({ mock, suites: [validBodies, framing], runs: 1 });
  expect(result.notChecked).toEqual([
    {
      what: 'Framing of responses',
      reason: 'in process there is no connection; give a base URL to have it checked',
    },
  ]);
  expect(result.properties.filter(({ suite }) => suite === 'framing')).toEqual([]);
});

test.each([undefined, ...names])('the mock of %s frames its answers rightly', async (name) => {
  const contract = await load(name);
  const mock = await createMock(contract, { tokens: [mockToken] });
  const { url } = await mock.listen({ port: 0 });
  let seen = 0;
  try {
    const result = await runOnMock({
      mock,
      suites: [framing, samples],
      socketSend: createSocketSend({ baseUrl: new URL(url), timeoutMs: 5_000 }),
      runs: 1,
      emit(event) {
        const answer = event.kind === 'exchange' ? event.judged.exchange.answer : undefined;
        seen += answer?.kind === 'response' && answer.trailing !== undefined ? 1 : 0;
      },
    });
    expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
    // What the requests name is made before them.
    const operations = contract.operations.filter((operation) => !actsOnService(operation));
    expect(seen).toBeGreaterThanOrEqual(requestsOf(propertiesOf({ ...contract, operations })).length);
  } finally {
    await mock.close();
  }
});
