import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocument } from '../../document/read-document.ts';
import { buildControlContract, createControlDocument } from './document.ts';
import { describeFindings } from '../../../fixtures/describe-findings.ts';
import { allSuites } from '../../../suites/all-suites.ts';
import { loadContract } from '../../contract/load.ts';
import type { RunResult } from '../../events/events.ts';
import type { Send } from '../../http/message.ts';
import { runSuites } from '../../runner/run.ts';
import type { Suite } from '../../runner/suite.ts';
import { openUrlTarget } from '../../session/url-target.ts';
import { createMock } from '../create-mock.ts';
import { faultIdForm } from '../faults/fault.ts';
import { resetParts } from '../message.ts';
import type { Mock } from '../mock.ts';
import { snapshotNameForm } from '../store/store.ts';
import { controlLines } from './calls.ts';
import { controlPrefix, mostControlBytes } from './operation.ts';

const file = fileURLToPath(new URL('../../../spec/control.openapi.json', import.meta.url));

// `npx vitest run src/mock/control/document -u` writes that schema anew.
test('the published document has the schema of policy values of the code', async () => {
  await expect(`${JSON.stringify(createControlDocument(), undefined, 2)}\n`).toMatchFileSnapshot(file);
});

test('the published document is one of OpenAPI 3.1', async () => {
  await expect(readDocument(file)).resolves.toMatchObject({ openapi: '3.1.0' });
});

test('the published document has the operations and the limits of the code', () => {
  const document = createControlDocument();
  const lines = buildControlContract().operations.map(({ id, method, path }) => [
    id,
    `${method} ${path.template}`,
  ]);
  expect(Object.fromEntries(lines)).toEqual(controlLines);
  const named = (name: string, pattern: RegExp) =>
    expect.arrayContaining([
      expect.objectContaining({ name, schema: { type: 'string', pattern: pattern.source } }),
    ]);
  expect(document).toMatchObject({
    servers: [{ url: controlPrefix }],
    'x-cloche-policy': { 'body-limit': { bytes: mostControlBytes } },
    paths: {
      '/snapshots/{name}': { put: { parameters: named('name', snapshotNameForm) } },
      '/faults/{id}': { put: { parameters: named('id', faultIdForm) } },
    },
  });
  expect(JSON.stringify(document)).toContain(`"items":{"enum":${JSON.stringify(resetParts)}}`);
});

test('a rule names an operation that there is', () => {
  expect(createControlDocument({ operations: ['a', 'b'], hasTokens: true })).toMatchObject({
    components: { schemas: { FaultRule: { properties: { operation: { enum: ['a', 'b'] } } } } },
  });
});

test.each([
  [true, true],
  [false, false],
])('lets in a list of tokens where there are some: %s', (hasTokens, isTaken) => {
  const text = JSON.stringify(createControlDocument({ operations: [], hasTokens }));
  expect([text.includes('"const":"any"'), text.includes('"const":"listed"')]).toEqual([true, isTaken]);
});

const contract = await loadContract(undefined, { followReferences: false });
/** The same for both tests: its schemas are compiled once. */
const control = buildControlContract({
  operations: contract.operations.map(({ id }) => id),
  hasTokens: false,
});

/** Runs suites on the control interface of a mock that was asked something. */
async function judge(input: {
  readonly mock: Mock;
  readonly send: Send;
  readonly socketSend?: Send | undefined;
  readonly suites: readonly Suite[];
  readonly runs: number;
}): Promise<RunResult> {
  const { mock, send, socketSend, suites, runs } = input;
  await mock.fetch('/');
  const name = 'the control interface';
  const { policy } = mock;
  const target = { contract: control, name, send, socketSend, policy, echo: 'violation' as const };
  const seed = Number(process.env['CLOCHE_TEST_SEED'] ?? 1);
  return runSuites(suites, target, { seed, runs, keys: [1_000, 2_000_000], unsafeMethods: true });
}

const minutes = 120_000;

test('the suites find nothing in it in process', { timeout: minutes }, async () => {
  const mock = await createMock(contract);
  const send: Send = (request, options) =>
    mock.send({ ...request, target: controlPrefix + request.target }, options);
  const result = await judge({ mock, send, suites: allSuites, runs: 5 });
  expect(describeFindings(result, ['violation', 'warning']).filter((line) => !isOfTwo.test(line))).toEqual(
    [],
  );
});

/** A rule for an operation and for a method that is not its own is refused, which no schema can say. */
const isOfTwo =
  /^warning undeclared-constraint .*(?:create|put)Fault.* received 422 .*"operation":"\w+","method":/u;

/** Those that a connection makes a difference to. */
const suites = allSuites.filter(({ id }) =>
  ['framing', 'samples', 'parameters', 'other-operations'].includes(id),
);

test('the suites find nothing in it over a port', { timeout: minutes }, async () => {
  const mock = await createMock(contract);
  const listener = await mock.listen();
  const target = await openUrlTarget({
    contract: control,
    baseUrl: listener.url + controlPrefix,
    timeoutMs: 30_000,
  });
  try {
    const result = await judge({ mock, ...target, suites, runs: 1 });
    expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
  } finally {
    await target.close();
    await mock.close();
  }
});
