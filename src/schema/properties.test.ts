import { expect, test } from 'vitest';
import { declaredNames, namedProperties, schemaProperties } from './properties.ts';

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

const $defs = {
  Base: { properties: { id: { type: 'integer' } }, required: ['id'] },
  Named: { $ref: '#/$defs/Base', properties: { name: { type: 'string' } }, required: ['name'] },
};

test('counts what stands beside a reference, also in what another reference leads to', () => {
  const found = schemaProperties({ $ref: '#/$defs/Named', properties: { tag: true }, $defs });
  expect([...found].map(([name, { required }]) => [name, required])).toEqual([
    ['id', true],
    ['name', true],
    ['tag', false],
  ]);
});

test('keeps what each of two places asks of one property', () => {
  const described = { description: 'made by the service', readOnly: true };
  const found = schemaProperties({ $ref: '#/$defs/Base', properties: { id: described }, $defs });
  expect(found.get('id')).toEqual({
    schema: { allOf: [{ type: 'integer' }, described] },
    required: true,
    readOnly: true,
    writeOnly: false,
  });
});

test('knows which way a property travels through references', () => {
  const Secret = { type: 'string', writeOnly: true };
  const found = schemaProperties({
    properties: { key: { $ref: '#/$defs/Secret' }, name: { allOf: [{ readOnly: true }] } },
    $defs: { Secret },
  });
  expect(found.get('key')).toMatchObject({ readOnly: false, writeOnly: true });
  expect(found.get('name')).toMatchObject({ readOnly: true, writeOnly: false });
});

test('takes what is required for declared, where something is', () => {
  const required = ['key'];
  expect(declaredNames({ properties: { name: true }, required })).toEqual(new Set(['name', 'key']));
  expect(declaredNames({ required })).toBeUndefined();
});

test('finds the properties of every branch', () => {
  const names = declaredNames({
    properties: { a: true },
    allOf: [{ $ref: '#/$defs/more' }],
    oneOf: [{ properties: { c: true } }, { else: { properties: { d: true } } }],
    $defs: { more: { properties: { b: true } } },
  });
  expect([...(names ?? [])].toSorted()).toEqual(['a', 'b', 'c', 'd']);
});

test.each([
  [true],
  [{}],
  [{ type: 'object' }],
  [{ properties: { a: true }, additionalProperties: { type: 'string' } }],
  [{ properties: { a: true }, patternProperties: { '^x-': true } }],
])('finds that %j declares no closed list', (schema) => {
  expect(declaredNames(schema)).toBeUndefined();
});
