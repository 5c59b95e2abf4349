import { expect, test } from 'vitest';
import { schemaProperties } from '../schema/properties.ts';

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
