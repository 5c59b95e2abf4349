import { describe, expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const text = { type: 'string' };
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Tells whether a request body with this schema accepts a value. */
function acceptorOf(schema: JsonObject, schemas: JsonObject, openapi = '3.0.3') {
  const contract = contractOf({
    openapi,
    paths: {
      '/things': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: { schemas },
  });
  const validate = contract.operations[0]?.requestBody?.media[0]?.schema?.validator({
    formats: 'assert',
    integers: 'by-value',
  });
  return (value: JsonValue): boolean => validate?.accepts(value, false) ?? false;
}

describe('alternatives with a discriminator', () => {
  const schemas = {
    Car: object({ wheels: { type: 'integer' }, type: text }),
    Boat: object({ sails: { type: 'integer' }, type: text }),
  };
  const vehicle = {
    oneOf: [ref('Car'), ref('Boat')],
    discriminator: { propertyName: 'type', mapping: { car: '#/components/schemas/Car', boat: 'Boat' } },
  };

  test('are judged by the one that the value names alone', () => {
    const accepts = acceptorOf(vehicle, schemas);
    expect(accepts({ type: 'car', wheels: 4, sails: 'none' })).toBe(true);
    expect(accepts({ type: 'boat', sails: 2 })).toBe(true);
    expect(accepts({ type: 'car', wheels: 'four' })).toBe(false);
  });

  test('reject a value that names none, and one without the property', () => {
    const accepts = acceptorOf(vehicle, schemas);
    expect(accepts({ type: 'plane', wheels: 4 })).toBe(false);
    expect(accepts({ wheels: 4 })).toBe(false);
  });

  test('are named by their schemas without a mapping', () => {
    const { mapping: _, ...discriminator } = vehicle.discriminator;
    const accepts = acceptorOf({ ...vehicle, discriminator }, schemas);
    expect([accepts({ type: 'Car' }), accepts({ type: 'car' })]).toEqual([true, false]);
  });

  test('keep the values that the alternatives themselves list', () => {
    const own = {
      A: object({ kind: { enum: ['a'] } }, ['kind']),
      B: object({ kind: { enum: ['b'] } }, ['kind']),
    };
    const accepts = acceptorOf({ oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind' } }, own);
    expect([accepts({ kind: 'a' }), accepts({ kind: 'A' })]).toEqual([true, false]);
  });

  test('are accepted by either reading in OpenAPI 3.0.4, where the discriminator decides nothing', () => {
    const accepts = acceptorOf(vehicle, schemas, '3.0.4');
    expect(accepts({ type: 'car', wheels: 4, sails: 1 })).toBe(true);
    expect(accepts({ type: 'plane', wheels: 4, sails: 'none' })).toBe(true);
    expect(accepts({ type: 'plane', wheels: 4, sails: 1 })).toBe(false);
  });
});

describe('a base schema with a discriminator', () => {
  const schemas = {
    Pet: { ...object({ kind: text, name: text }, ['kind']), discriminator: { propertyName: 'kind' } },
    Cat: { allOf: [ref('Pet'), object({ lives: { type: 'integer' } }, ['lives'])] },
    Kitten: { allOf: [ref('Cat'), object({ age: { type: 'integer' } }, ['age'])] },
  };

  test('is judged by the schema that extends it and that the value names', () => {
    const accepts = acceptorOf(ref('Pet'), schemas);
    expect(accepts({ kind: 'Cat', lives: 9 })).toBe(true);
    expect(accepts({ kind: 'Cat' })).toBe(false);
    expect(accepts({ kind: 'Kitten', lives: 9 })).toBe(false);
    expect(accepts({ kind: 'Kitten', lives: 9, age: 1 })).toBe(true);
  });

  test('is itself one of them, and rejects what no schema is called', () => {
    const accepts = acceptorOf({ type: 'array', items: ref('Pet') }, schemas);
    expect([accepts([{ kind: 'Pet' }]), accepts([{ kind: 'Dog' }])]).toEqual([true, false]);
  });
});
