import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as cloche from './index.ts';

test('every function whose options are optional works without them', async () => {
  const contract = await cloche.loadContract();
  expect(contract.operations.map(({ id }) => id)).toEqual(['createPlant']);
  await using mock = await cloche.createMock();
  expect(mock.contract.title).toBe(contract.title);
  expect(mock.policy).toMatchObject(cloche.createPolicy({}));
  const policy = await cloche.readPolicyFile(
    fileURLToPath(new URL('../spec/plant-store.policy.yaml', import.meta.url)),
  );
  expect(Object.keys(policy.policy).length).toBeGreaterThan(0);
  const folder = mkdtempSync(join(tmpdir(), 'cloche-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'data.yaml');
  writeFileSync(file, '/plants: [{ id: 1, name: Fern }]\n');
  expect(await cloche.readData(file)).toEqual({ '/plants': [{ id: 1, name: 'Fern' }] });
});
