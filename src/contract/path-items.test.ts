import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';

/** A create with a read of its items, and a property that names an owner. */
function collection(path: string): JsonObject {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, ownerId: { type: 'integer' } },
  };
  const content = { 'application/json': { schema } };
  const responses = { '201': { description: 'created', content } };
  return {
    [path]: { post: { requestBody: { content }, responses } },
    [`${path}/{id}`]: { get: { responses: { '200': { description: 'found', content } } } },
  };
}

/** Returns the items in the bodies of creates, by path. */
function bodyItemsOf(...paths: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const { operations } = contractOf({ paths: Object.assign({}, ...paths.map(collection)) as JsonObject });
  return Object.fromEntries(
    operations
      .filter(({ method }) => method === 'POST')
      .map(({ path, bodyItems }) => [path.template, bodyItems().map(({ item }) => item.path)]),
  );
}

test('finds an item in a body below the parent that the path starts with', () => {
  expect(bodyItemsOf('/tenants/{tenant}/owners', '/tenants/{tenantId}/cars')).toMatchObject({
    '/tenants/{tenantId}/cars': ['/tenants/{tenant}/owners/{id}'],
  });
});

test('finds no item in a body below a parent that the path does not name', () => {
  expect(bodyItemsOf('/tenants/{tenant}/owners', '/cars', '/tenants/cars')).toMatchObject({
    '/cars': [],
    '/tenants/cars': [],
  });
});

test('prefers an item in a body that has no parent', () => {
  expect(bodyItemsOf('/owners', '/tenants/{tenant}/cars')).toMatchObject({
    '/tenants/{tenant}/cars': ['/owners/{id}'],
  });
});
