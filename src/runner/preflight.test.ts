import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import { createMock } from '../mock/create-mock.ts';

test('cannot judge a service that turns the token away, whatever it lets in without one', async () => {
  const path = fileURLToPath(new URL('../../fixtures/documents/ranges.json', import.meta.url));
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract, { tokens: ['somebody:else'] });
  await expect(runOnMock({ mock, runs: 1 })).rejects.toThrow('it turns the given token away with 401');
});

test('takes a request that an interruption broke off for no hang', async () => {
  const contract = await loadContract(undefined, { followReferences: false });
  const mock = await createMock(contract, { tokens: ['somebody:else'] });
  const interruption = new AbortController();
  const result = await runOnMock({
    mock,
    runs: 1,
    signal: interruption.signal,
    send() {
      interruption.abort();
      return Promise.resolve({ kind: 'timed-out', afterMs: 5, received: new Uint8Array() });
    },
  });
  expect([result.interrupted, result.findings]).toEqual([true, []]);
});
