import { expect, test } from 'vitest';
import { createTextPlan } from './coerce.ts';

const integer = { type: 'integer' };

test('reads texts at each place by the schema of the place', () => {
  const schema = {
    properties: { id: integer, tags: { type: 'array', items: integer } },
    additionalProperties: { type: 'boolean' },
    required: ['isDone'],
  };
  const plan = createTextPlan(schema, schema);
  expect([...plan.types]).toEqual(['object']);
  expect([...plan.names]).toEqual(['id', 'tags']);
  expect(plan.member('id').coerce('7')).toBe(7);
  expect(plan.member('tags').items().coerce('7')).toBe(7);
  expect(plan.member('isDone').coerce('true')).toBe(true);
  expect(plan.member('id')).toBe(plan.member('id'));
});

test('looks for properties under the keywords that are given', () => {
  const schema = { properties: { a: integer }, anyOf: [{ properties: { b: integer } }] };
  expect([...createTextPlan(schema, schema).names]).toEqual(['b', 'a']);
  expect([...createTextPlan(schema, schema, ['allOf']).names]).toEqual(['a']);
});

test('reads a list that contains itself', () => {
  const schema = {
    $ref: '#/$defs/List',
    $defs: { List: { type: 'array', items: { $ref: '#/$defs/List' } } },
  };
  const plan = createTextPlan(schema, schema);
  expect([...plan.items().items().types]).toEqual(['array']);
});
