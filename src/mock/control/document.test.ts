import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocument } from '../../document/read-document.ts';
import { controlOperations, createControlDocument } from './document.ts';

const file = fileURLToPath(new URL('../../../spec/control.openapi.json', import.meta.url));

// `npx vitest run src/mock/control/document -u` writes it anew.
test('the published document is made of the operations', async () => {
  await expect(`${JSON.stringify(createControlDocument(), undefined, 2)}\n`).toMatchFileSnapshot(file);
});

test('the published document is one of OpenAPI 3.1', async () => {
  await expect(readDocument(file)).resolves.toMatchObject({ openapi: '3.1.0' });
});

test('an operation has an id of its own', () => {
  const ids = controlOperations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(controlOperations.length);
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
