import { expect, test } from 'vitest';
import { mergeSchema } from '../answer/sample-value.ts';

test('folds references and allOf into one object', () => {
  const root = {
    $defs: { base: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  };
  const merged = mergeSchema(root, {
    allOf: [{ $ref: '#/$defs/base' }, { required: ['id'], properties: { id: { type: 'integer' } } }],
  });
  expect(merged).toEqual({
    type: 'object',
    required: ['name', 'id'],
    properties: { name: { type: 'string' }, id: { type: 'integer' } },
  });
});

test('asks of a property that two parts declare what both say', () => {
  const merged = mergeSchema(
    {},
    { allOf: [{ properties: { a: { minimum: 1 } } }], properties: { a: { maximum: 2 } } },
  );
  expect(merged['properties']).toEqual({ a: { allOf: [{ minimum: 1 }, { maximum: 2 }] } });
});

test('keeps what stands beside a reference on the way', () => {
  const root = { $defs: { a: { $ref: '#/$defs/b', required: ['x'] }, b: { type: 'object' } } };
  expect(mergeSchema(root, { $ref: '#/$defs/a' })).toEqual({ type: 'object', required: ['x'] });
});

test('takes the first branch that is not null alone', () => {
  expect(mergeSchema({}, { oneOf: [{ type: 'null' }, { type: 'integer' }, { type: 'string' }] })).toEqual({
    type: 'integer',
  });
});

test('comes to an end on a schema that holds itself', () => {
  const root = { $defs: { loop: { $ref: '#/$defs/loop', type: 'object' } } };
  expect(mergeSchema(root, { $ref: '#/$defs/loop' })).toEqual({ type: 'object' });
});
