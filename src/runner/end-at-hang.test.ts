import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { repeatedKeys } from '../../suites/repeated-keys.ts';
import { sequences } from '../../suites/sequences.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import type { Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';

/** How often a mock that hangs on keys that it knows was sent one, and what a run on it found. */
async function runOnHang(suites: Parameters<typeof runOnMock>[0]['suites']) {
  const mock = await createMock(undefined, { tokens: [mockToken] });
  let hangs = 0;
  const send: Send = async (request, options) => {
    const answer = await mock.send(request, options);
    const isKnown = answer.kind === 'response' && answer.response.status === 400;
    hangs += isKnown ? 1 : 0;
    return isKnown ? { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() } : answer;
  };
  const result = await runOnMock({ mock, send, told: false, suites: suites ?? [], runs: 30 });
  return { hangs, result };
}

test('a sequence ends at its first request that is never answered', async () => {
  const { hangs, result } = await runOnHang([sequences]);
  // Once to find it and once to confirm it.
  expect(hangs).toBe(2);
  expect(result.findings.map(({ finding }) => finding.check)).toEqual(['timed-out']);
});

test('long sequences are left out where the service is known to hang', async () => {
  const { result } = await runOnHang([validBodies, repeatedKeys, sequences]);
  expect(result.properties.at(-1)).toMatchObject({ suite: 'sequences', cases: 0, verdict: 'given-up' });
  expect(result.notChecked).toContainEqual({
    what: expect.stringMatching(/^sequences\//u),
    reason: expect.stringMatching(/^not tried, as the service hangs/u),
  });
});
