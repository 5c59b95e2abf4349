import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import { findBodyRelations } from './relations.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

function create(schema: JsonObject): JsonObject {
  return {
    post: { requestBody: json(schema), responses: { '201': { description: 'Created.', ...json(schema) } } },
  };
}

function relationsOf(properties: JsonObject): readonly string[] {
  const key = { type: 'integer', readOnly: true };
  const { operations } = contractOf({
    paths: {
      '/owners': create({ type: 'object', properties: { id: key, name: { type: 'string' } } }),
      '/stock-items': create({
        type: 'object',
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
      }),
      '/pets': create({ type: 'object', properties: { id: key, name: { type: 'string' }, ...properties } }),
    },
  });
  const pets = operations.find(({ path }) => path.template === '/pets');
  expect.assert(pets !== undefined);
  return findBodyRelations(pets, operations).map(
    ({ property, resource, isList }) => `${property} → ${resource.collection}${isList ? ' (several)' : ''}`,
  );
}

const integer = { type: 'integer' };
const text = { type: 'string' };

test.each<[string, JsonObject, readonly string[]]>([
  ['ownerId', integer, ['ownerId → /owners']],
  ['owner_id', integer, ['owner_id → /owners']],
  ['owner', integer, ['owner → /owners']],
  ['formerOwnerId', integer, ['formerOwnerId → /owners']],
  ['ownerIds', { type: 'array', items: integer }, ['ownerIds → /owners (several)']],
  ['stockItemId', text, ['stockItemId → /stock-items']],
  ['ownerId', text, []],
  ['ownerId', { ...integer, readOnly: true }, []],
  ['owner', { type: 'object', properties: { name: text } }, []],
  ['owners', { type: 'array', items: integer }, []],
  ['ownerName', text, []],
  ['vetId', integer, []],
  ['petId', integer, ['petId → /pets']],
])('of a property %s of %j it finds %j', (name, schema, expected) => {
  expect(relationsOf({ [name]: schema })).toEqual(expected);
});
