import { expect, test } from 'vitest';
import type { OpenApiDocument } from '../document/document.ts';
import type { JsonObject } from '../json/value.ts';
import { compileSchemaAt } from './build.ts';

const reading = { formats: 'assert', integers: 'by-value' } as const;

function documentOf(version: '3.0' | '3.1', root: JsonObject): OpenApiDocument {
  return { source: 'orders.yaml', version, openapi: `${version}.0`, root, locate: () => undefined };
}

const schemas = {
  Order: { properties: { item: { $ref: '#/schemas/Item' }, never: false } },
  Item: { required: ['name'] },
};
const root: JsonObject = {
  schemas,
  a: { $ref: '#/schemas/Order' },
  b: { $ref: '#/a' },
  c: { $ref: '#/schemas/Order', required: ['item'] },
};

test('compiles one schema once for each direction, whatever refers to it', () => {
  const document = documentOf('3.1', root);
  const order = compileSchemaAt(document, '/schemas/Order', 'request');
  expect(compileSchemaAt(document, '/b', 'request')).toBe(order);
  expect(compileSchemaAt(document, '/b', 'response')).not.toBe(order);
  expect(compileSchemaAt(document, '/c', 'request')).not.toBe(order);
  expect(compileSchemaAt(documentOf('3.1', { ...root }), '/b', 'request')).not.toBe(order);
});

test('ignores what stands beside a reference in 3.0 and counts it in 3.1', () => {
  const problems = (version: '3.0' | '3.1') =>
    compileSchemaAt(documentOf(version, { ...root }), '/c', 'request').validator(reading)({}, false).length;
  expect([problems('3.0'), problems('3.1')]).toEqual([0, 1]);
});

test('says where in the document a problem stands', () => {
  const order = compileSchemaAt(documentOf('3.1', root), '/a', 'request');
  const placesOf = (value: JsonObject) =>
    order
      .validator(reading)(value, false)
      .map(({ schemaPointer }) => order.placeOf(schemaPointer));
  expect(placesOf({ item: {} })).toEqual(['/schemas/Item/required']);
  expect(placesOf({ never: 1 })).toEqual(['/schemas/Order/properties/never']);
});

test('names the place of a schema that refers to itself without end', () => {
  const endless = {
    schemas: { A: { allOf: [{ $ref: '#/schemas/B' }] }, B: { anyOf: [{ $ref: '#/schemas/A' }] } },
  };
  expect(() => compileSchemaAt(documentOf('3.1', endless), '/schemas/A', 'request')).toThrow(
    /"\/schemas\/A": \/schemas\/[AB] refers to itself/u,
  );
});

test('says at which line a schema stands that cannot be compiled', () => {
  const bad = { schemas: { A: { minLength: 'long' }, B: { $ref: '#/schemas/B', type: 'string' } } };
  const place = { file: 'orders.yaml', line: 7, column: 5 };
  const document = { ...documentOf('3.1', bad), locate: () => place };
  expect(() => compileSchemaAt(document, '/schemas/B', 'request')).toThrow(
    'Failed to read "orders.yaml": orders.yaml:7:5: the schema at /schemas/B cannot be used: /schemas/B refers to itself',
  );
  const schema = compileSchemaAt(document, '/schemas/A', 'request');
  expect(() => schema.validator(reading)).toThrow('orders.yaml:7:5: the schema at /schemas/A cannot be used');
});
