import { expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import type { RunResult } from '../events/events.ts';
import type { Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { everyBehaviour, type Policy } from '../policy/policy.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** Compares a mock of a policy, taken for a service that nothing is known of, with a mock of another. */
async function compare(
  policy: Partial<Policy>,
  {
    other = {},
    runs = 5,
    wrap = (send) => send,
    wrapOther = (send) => send,
  }: {
    readonly other?: Partial<Policy>;
    readonly runs?: number;
    readonly wrap?: (send: Send) => Send;
    readonly wrapOther?: (send: Send) => Send;
  } = {},
): Promise<RunResult> {
  const mock = await createMock(contract, { tokens: [mockToken], policy });
  const referenceService = await createMock(contract, { tokens: ['another-token'], policy: other });
  return runOnMock({
    mock,
    send: wrap(mock.send),
    enforced: false,
    runs,
    against: {
      name: 'the in-process mock',
      names: { tested: 'the service', other: 'the mock' },
      send: wrapOther(referenceService.send),
      policy: referenceService.policy,
      enforced: everyBehaviour,
      echo: referenceService.policy.echo === 'exact' ? 'violation' : undefined,
      token: 'another-token',
    },
  });
}

/** The verdict on each finding that two services differ in. */
function verdictsOf({ findings }: RunResult): readonly unknown[] {
  return findings.flatMap(({ finding: { check, level, parity } }) =>
    parity === undefined ? [] : [{ check, level, ...parity.verdict }],
  );
}

test('two equal mocks answer alike', async () => {
  const result = await compare({}, { runs: 50 });
  expect(result.findings).toEqual([]);
  expect(result.parity).toMatchObject({
    differing: 0,
    proposal: { answers: {}, operations: {}, unsure: [] },
  });
  expect(result.parity?.compared).toBeGreaterThan(1_000);
});

/** Values that are not the default, and how many cases of each property it takes to meet them. */
const silences: readonly (readonly [policy: Partial<Policy>, runs: number])[] = [
  [{ 'duplicate-key': 'conflict' }, 5],
  [{ 'duplicate-key': 'replace' }, 5],
  [{ 'missing-credentials': { status: 403, body: 'empty' } }, 5],
  [{ 'invalid-credentials': { status: 401, body: 'problem' } }, 5],
  [{ 'auth-order': 'after' }, 5],
  [{ 'error-codes': { 'malformed-body': 1001, 'invalid-body': 1002, 'duplicate-key': 1003 } }, 5],
  [{ 'unsupported-media-type': 'read' }, 5],
  [{ 'body-limit': { bytes: 65_536, status: 413 } }, 5],
  [{ constraints: { name: { maxLength: 255 } } }, 30],
  [{ 'unique-properties': ['name'] }, 5],
  [{ 'undeclared-properties': 'store' }, 5],
  [{ 'int64-range': 'accept' }, 5],
  [{ 'integer-notation': 'no' }, 5],
  [{ 'duplicate-keys-in-json': 'first' }, 30],
  [{ echo: 'none' }, 5],
  [{ 'response-extras': 'id' }, 5],
  [{ accept: 406 }, 5],
  [{ 'other-operations': { method: 501, path: 403 } }, 5],
];

test.each(drawCases(silences, 3))(
  'finds %j as the answer that the contract leaves open, and nothing differs once the mock gives it',
  async (policy, runs) => {
    const result = await compare(policy, { runs });
    expect(result.findings.filter(({ finding }) => finding.level === 'violation')).toEqual([]);
    expect(verdictsOf(result).length).toBeGreaterThan(0);
    expect(result.parity?.proposal).toEqual({ answers: policy, operations: {}, unsure: [] });
    const again = await compare(policy, { other: policy, runs });
    expect([verdictsOf(again), again.parity?.proposal.answers]).toEqual([[], {}]);
  },
);

/** A service that answers a refusal with a shape that the document does not declare for it. */
function garble(send: Send): Send {
  return async (request, options) => {
    const answer = await send(request, options);
    return answer.kind === 'response' && answer.response.status === 400
      ? { ...answer, response: { ...answer.response, body: Buffer.from('{"error":"no"}') } }
      : answer;
  };
}

test('a service that breaks the document is wrong, by the finding that says so', async () => {
  const result = await compare({}, { wrap: garble });
  expect(verdictsOf(result)).toEqual([
    { check: 'response-schema', level: 'violation', kind: 'tested-wrong' },
  ]);
  const [found] = result.findings;
  expect(found?.elsewhere).toHaveLength(found?.requests.length ?? 0);
});

test('where the other one breaks it, the other one is wrong', async () => {
  const result = await compare({}, { wrapOther: garble });
  expect(verdictsOf(result)).toEqual([{ check: 'parity', level: 'violation', kind: 'other-wrong' }]);
  expect(result.findings[0]?.finding.received).toContain('from the mock');
});

test('another service that goes away cannot be judged, and is named', async () => {
  let sent = 0;
  const gone: (send: Send) => Send = (send) => async (request, options) => {
    sent += 1;
    return sent > 100 ? { kind: 'unreachable', reason: 'nothing listens' } : send(request, options);
  };
  await expect(compare({}, { wrapOther: gone })).rejects.toThrow(
    'Failed to judge "the in-process mock": it went down during the run',
  );
});

test('another service that hangs again and again cannot be judged', async () => {
  const hangs: (send: Send) => Send = (send) => async (request, options) =>
    request.headers.every(([name]) => name !== 'Authorization')
      ? { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() }
      : send(request, options);
  await expect(compare({}, { wrapOther: hangs })).rejects.toThrow(
    /left \d+ requests unanswered, the last of them [A-Z]+ \/\w/u,
  );
});

/** A service that knows the names it has taken, whoever sends them, and answers 409 to one of them. */
function keepNames(send: Send): Send {
  const names = new Set<string>();
  return async (request, options) => {
    const answer = await send(request, options);
    const name = /"name":("[^"]*")/u.exec(Buffer.from(request.body ?? []).toString())?.[1] ?? '';
    if (answer.kind !== 'response' || answer.response.status !== 200) return answer;
    const wasAccepted = names.has(name);
    names.add(name);
    return wasAccepted
      ? { ...answer, response: { ...answer.response, status: 409, body: Buffer.from('') } }
      : answer;
  };
}

test('a name that has to be unique is one cause, whatever else is odd in the requests that show it', async () => {
  const result = await compare({}, { wrap: keepNames });
  expect(result.parity?.proposal.answers).toEqual({ 'unique-properties': ['name'] });
  expect(verdictsOf(result)).toHaveLength(1);
});

/** A service that also answers GET, which nobody declared. */
function listOnGet(send: Send): Send {
  return async (request, options) => {
    const answer = await send(request, options);
    return request.method === 'GET' && answer.kind === 'response' && answer.response.status === 405
      ? { ...answer, response: { ...answer.response, status: 200 } }
      : answer;
  };
}

test('an operation that nobody declared says nothing of what is answered to others', async () => {
  const result = await compare({}, { wrap: listOnGet });
  expect(verdictsOf(result)).toMatchObject([{ kind: 'silent', question: 'other-operations' }]);
  expect(result.parity?.proposal.answers).toEqual({});
});

test('distinguishes a service that keeps the first from one that replaces it', async () => {
  const kept = { 'duplicate-key': 'keep-first' } as const;
  const result = await compare(kept, { runs: 20 });
  expect(result.parity?.proposal).toEqual({ answers: kept, operations: {}, unsure: [] });
  const again = await compare(kept, { other: { 'duplicate-key': 'replace' }, runs: 20 });
  expect(again.parity?.proposal).toEqual({ answers: kept, operations: {}, unsure: [] });
});

test('two services that refuse a name that is taken with statuses of their own differ in that alone', async () => {
  const result = await compare({}, { wrap: keepNames, other: { 'unique-properties': ['name'] }, runs: 20 });
  expect(verdictsOf(result)).toEqual([{ check: 'parity', level: 'warning', kind: 'silent' }]);
});
