import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { loadContract } from '../contract/load.ts';
import type { Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';

const path = fileURLToPath(new URL('../../fixtures/documents/parameters.yaml', import.meta.url));
const contract = await loadContract(path, { followReferences: false });
const templated = contract.operations.filter(({ path: { segments } }) =>
  segments.some(({ kind }) => kind !== 'literal'),
);

/** What a run says that it did not check, where some paths lead nowhere. */
async function listNotChecked(isLost: (target: string) => boolean): Promise<readonly string[]> {
  const mock = await createMock(contract, { tokens: [mockToken] });
  const body = new TextEncoder().encode('{}');
  const send: Send = async (request, options) =>
    isLost(request.target)
      ? { kind: 'response', response: { status: 404, headers: [['Content-Type', 'application/json']], body } }
      : mock.send(request, options);
  const { notChecked } = await runOnMock({ mock, send, enforced: false, suites: allSuites, runs: 5 });
  return notChecked.filter(({ reason }) => reason.includes('404')).map(({ what }) => what);
}

test('says which operations only ever answered 404', async () => {
  expect(templated.length).toBeGreaterThan(0);
  expect(await listNotChecked(() => true)).toEqual(expect.arrayContaining(templated.map(({ id }) => id)));
});

test('says nothing of operations that were reached', async () => {
  expect(await listNotChecked(() => false)).toEqual([]);
});
