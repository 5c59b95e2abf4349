import { expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunResult } from '../src/events/events.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { createPolicy, type Policy } from '../src/policy/policy.ts';
import type { BehaviourId } from '../src/policy/behaviour.ts';

const document = new URL('../fixtures/documents/two-creates.yaml', import.meta.url).pathname;
const contract = await loadContract(document, { followReferences: false });
const listed = { 'accepted-tokens': 'listed' } as const;

async function run(input: {
  readonly given: Partial<Policy>;
  readonly enforced?: Partial<Policy>;
  readonly questions?: ReadonlySet<BehaviourId>;
}): Promise<RunResult> {
  const mock = await createMock(contract, { policy: { ...listed, ...input.given }, tokens: [mockToken] });
  const { enforced, questions } = input;
  return runOnMock({
    mock,
    runs: 40,
    ...(enforced === undefined ? {} : { policy: createPolicy({ ...listed, ...enforced }) }),
    ...(questions === undefined ? {} : { enforced: questions }),
  });
}

test.each<Partial<Policy>>([
  { 'duplicate-key': 'refuse', operations: { addBook: { 'duplicate-key': 'replace' } } },
  {
    operations: { addBook: { 'auth-order': 'after', 'missing-credentials': { status: 403, body: 'empty' } } },
  },
  { operations: { addReader: { 'unsupported-media-type': 415, accept: 406, 'int64-range': 'accept' } } },
  { operations: { addReader: { echo: 'none', 'undeclared-properties': 'refuse' } } },
  { 'accepted-tokens': 'any', operations: { addBook: { 'accepted-tokens': 'listed' } } },
  { operations: { addReader: { constraints: { name: { maxLength: 30 } }, 'duplicate-key': 'keep-first' } } },
])('a mock of %j holds what it says of each operation', async (given) => {
  expect(describeFindings(await run({ given }), ['violation'])).toEqual([]);
});

function drifts({ findings }: RunResult): readonly string[] {
  const found = findings.filter(({ finding }) => finding.check === 'drift');
  return [
    ...new Set(
      found.map(({ finding }) =>
        finding.clause.kind === 'policy' ? `${finding.operation} ${finding.clause.question}` : '',
      ),
    ),
  ].toSorted();
}

test('drift is that of the operation whose answer is another one', async () => {
  const given = { operations: { addBook: { 'duplicate-key': 'conflict' } } } as const;
  const enforced = { operations: { addReader: { 'duplicate-key': 'conflict' } } } as const;
  expect(drifts(await run({ given, enforced }))).toEqual([
    'addBook duplicate-key',
    'addReader duplicate-key',
  ]);
});

test('an operation is held to what is told of it alone', async () => {
  const given = { 'duplicate-key': 'conflict', 'unsupported-media-type': 415 } as const;
  const enforced = { operations: { addReader: { 'duplicate-key': 'refuse' } } } as const;
  expect(drifts(await run({ given, enforced, questions: new Set() }))).toEqual(['addReader duplicate-key']);
});

test('what a policy leaves out is held against nobody', async () => {
  const given = {
    'duplicate-key': 'keep-first',
    'missing-credentials': { status: 403, body: 'empty' },
    'unsupported-media-type': 415,
    'auth-order': 'after',
    accept: 406,
    'other-operations': { method: 404, path: 404 },
    'undeclared-properties': 'refuse',
    'int64-range': 'accept',
  } as const;
  const enforced = { 'duplicate-key': 'keep-first' } as const;
  const result = await run({ given, enforced, questions: new Set(['duplicate-key']) });
  expect(describeFindings(result, ['violation'])).toEqual([]);
});
