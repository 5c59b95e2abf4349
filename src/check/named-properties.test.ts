import { expect, test } from 'vitest';
import { namedProperties } from '../schema/properties.ts';

test('names the properties of every branch, through references', () => {
  const schema = {
    oneOf: [{ $ref: '#/$defs/circle' }, { properties: { side: true } }],
    anyOf: [{ allOf: [{ properties: { colour: true } }] }],
    if: { properties: { kind: { const: 'circle' } } },
    else: { properties: { radius: true } },
    properties: { name: { properties: { first: true } } },
    $defs: {
      circle: { properties: { centre: true }, oneOf: [{ $ref: '#' }] },
      unused: { properties: { x: 1 } },
    },
  };
  expect([...namedProperties(schema)].toSorted()).toEqual([
    'centre',
    'colour',
    'kind',
    'name',
    'radius',
    'side',
  ]);
});

test('names none where a schema speaks of no property', () => {
  expect(namedProperties(true).size).toBe(0);
  expect(namedProperties({ type: 'object' }).size).toBe(0);
});
