import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load-contract.ts';
import { createMock } from '../mock/create-mock.ts';

test('cannot judge a service that turns the token away, whatever it lets in without one', async () => {
  const path = fileURLToPath(new URL('../../fixtures/documents/ranges.json', import.meta.url));
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract, { tokens: ['somebody:else'] });
  await expect(runOnMock({ mock, runs: 1 })).rejects.toThrow('it turns the given token away with 401');
});
