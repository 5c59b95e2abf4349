import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { ExactNumber } from '../json/exact-number.ts';
import type { JsonObject } from '../json/value.ts';
import { checkPropertyNames } from './validate.ts';

function post(operationId: string, schema: JsonObject): JsonObject {
  const responses = { '201': { description: 'Created' } };
  return { operationId, responses, requestBody: { content: { 'application/json': { schema } } } };
}

const order = {
  allOf: [
    { properties: { amount: { type: 'integer', maximum: new ExactNumber('9223372036854775807') } } },
    { oneOf: [{ properties: { note: { type: 'string' } } }] },
  ],
};
const contract = contractOf({
  paths: {
    '/orders': { post: post('order', order) },
    '/people': { post: post('person', { properties: { name: { type: 'string' } } }) },
  },
});

test('names every property that no body has, with the nearest that there is', () => {
  const constraints = { amont: { maximum: 9 }, note: { maxLength: 9 } };
  expect(checkPropertyNames({ constraints }, contract)).toEqual([
    {
      pointer: '/answers/constraints/amont',
      reason: 'no body has a property "amont"',
      remedy: 'Perhaps "amount" was meant',
    },
  ]);
});

test('looks at the operation alone that an answer is about', () => {
  const operations = { person: { constraints: { amount: { maximum: 9 }, name: { maxLength: 9 } } } };
  expect(checkPropertyNames({ operations }, contract)).toEqual([
    {
      pointer: '/operations/person/constraints/amount',
      reason: 'no body has a property "amount"',
      remedy: 'There is name',
    },
  ]);
});

test.each<[string, JsonObject]>([
  ['names nothing', { type: 'object' }],
  ['names by pattern', { properties: { a: {} }, patternProperties: { '^x-': {} } }],
])('takes any property where a body %s', (_name, schema) => {
  const open = contractOf({ paths: { '/orders': { post: post('order', schema) } } });
  expect(checkPropertyNames({ constraints: { other: { maximum: 9 } } }, open)).toEqual([]);
});
