import { expect, test } from 'vitest';
import { buildRequest } from '../src/arbitrary/request.ts';
import { loadContract } from '../src/contract/load.ts';
import { withoutMembers } from './life-cycle-bodies.ts';

test('leaves a member out of all bodies, then out of one, where the schema goes without it', async () => {
  const contract = await loadContract('fixtures/documents/projects.yaml', { followReferences: false });
  const create = contract.operations.find(({ id }) => id === 'createProject');
  if (create === undefined) throw new Error('the document has no such operation');
  const whole = { name: 'a', budget: 1 };
  const request = buildRequest(create, { body: [JSON.stringify(whole)] });
  const bodies = [...withoutMembers([request, request], contract)].map((requests) =>
    requests.map(({ body = [] }) => Object.keys(JSON.parse(body.map(String).join('')))),
  );
  expect(bodies).toContainEqual([['name'], ['name']]);
  expect(bodies).toContainEqual([['name', 'budget'], ['name']]);
  // The name is required.
  expect(bodies.flat().every((names) => names.includes('name'))).toBe(true);
});
