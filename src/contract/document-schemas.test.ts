import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import type { JsonSchema } from '../schema/walk.ts';
import { compileSchemaAt } from './document-schemas.ts';

const root: JsonObject = {
  components: {
    schemas: {
      Tree: {
        properties: {
          left: { $ref: '#/components/schemas/Tree' },
          leaf: { $ref: '#/components/schemas/Leaf' },
        },
      },
      Leaf: { type: 'integer', example: { $ref: '#/components/schemas/Gone' }, enum: [{ $ref: 'text' }] },
      'A/B {c}': {
        $defs: { Own: { type: 'null' } },
        anyOf: [{ $ref: '#/components/schemas/A~1B {c}/$defs/Own' }],
      },
      Names: { properties: { $ref: { type: 'string' }, example: { $ref: '#/components/schemas/Leaf' } } },
      Twice: { allOf: [{ $ref: '#/components/schemas/Leaf' }, { $ref: '#/components/responses/Leaf' }] },
      Any: true,
      Plain: { type: 'integer' },
    },
    responses: { Leaf: { type: 'string' } },
  },
};

function compile(document: JsonObject, pointer: string): CompiledSchema {
  const parts = { source: 'orders.yaml', openapi: '3.1.0', locate: () => undefined };
  return compileSchemaAt({ ...parts, version: '3.1', root: document }, pointer, 'request');
}

function at(name: string): JsonSchema {
  return compile(root, `/components/schemas/${name}`).schema;
}

test('pulls in what is referred to, in circles too', () => {
  const tree = { properties: { left: { $ref: '#/$defs/Tree' }, leaf: { $ref: '#/$defs/Leaf' } } };
  const leaf = {
    type: 'integer',
    examples: [{ $ref: '#/components/schemas/Gone' }],
    enum: [{ $ref: 'text' }],
  };
  expect(at('Tree')).toEqual({ ...tree, $defs: { Tree: tree, Leaf: leaf } });
});

test('gives a schema without references as it is', () => {
  expect(at('Plain')).toEqual({ type: 'integer' });
  expect(at('Any')).toBe(true);
});

test('has schemas share what they refer to, and those that lead to each other all of it', () => {
  const schemas: JsonObject = {
    A: { properties: { b: { $ref: '#/components/schemas/B' } } },
    B: { properties: { a: { $ref: '#/components/schemas/A' }, c: { $ref: '#/components/schemas/C' } } },
    C: { type: 'string' },
  };
  const document: JsonObject = {
    components: { schemas },
    list: { items: { $ref: '#/components/schemas/A' } },
    map: { additionalProperties: { $ref: '#/components/schemas/B' } },
  };
  const list = compile(document, '/list').schema;
  const map = compile(document, '/map').schema;
  expect(list).toMatchObject({ $defs: { A: {}, B: {}, C: { type: 'string' } } });
  expect(Object(list).$defs).toBe(Object(map).$defs);
});

test('judges by shared definitions as by its own, in circles and after another schema that cannot be compiled', () => {
  const schemas: JsonObject = {
    Good: { properties: { next: { $ref: '#/components/schemas/Good' }, count: { type: 'integer' } } },
    Bad: { minLength: 'long', properties: { through: { $ref: '#/components/schemas/Through' } } },
    Through: { properties: { bad: { $ref: '#/components/schemas/Bad' } } },
  };
  const document: JsonObject = {
    components: { schemas },
    good: { items: { $ref: '#/components/schemas/Good' } },
    bad: { items: { $ref: '#/components/schemas/Bad' } },
    through: { items: { $ref: '#/components/schemas/Through' } },
  };
  const reading = { formats: 'assert', integers: 'by-value' } as const;
  expect(() => compile(document, '/bad').validator(reading)).toThrow('minLength value must be');
  expect(() => compile(document, '/through').validator(reading)).toThrow('minLength value must be');
  const good = compile(document, '/good');
  const [problem] = good.validator(reading)([{ next: { count: 'x' } }], false);
  expect(problem).toMatchObject({ pointer: '/0/next/count' });
  expect(good.placeOf(problem?.schemaPointer ?? '')).toBe('/components/schemas/Good/properties/count/type');
});

test('names definitions so that they need no escaping', () => {
  expect(at('A~1B {c}')).toEqual({ anyOf: [{ $ref: '#/$defs/Own' }], $defs: { Own: { type: 'null' } } });
  const escaped: JsonObject = { a: { $ref: '#/b c~1d' }, 'b c/d': {} };
  expect(compile(escaped, '/a').schema).toEqual({});
  expect(compile({ ...escaped, a: { not: { $ref: '#/b c~1d' } } }, '/a').schema).toEqual({
    not: { $ref: '#/$defs/b_c_d' },
    $defs: { b_c_d: {} },
  });
});

test('tells two definitions of one name apart, and a property from a keyword', () => {
  expect(at('Twice')).toMatchObject({ allOf: [{ $ref: '#/$defs/Leaf' }, { $ref: '#/$defs/Leaf-2' }] });
  expect(at('Names')).toMatchObject({
    properties: { $ref: { type: 'string' }, example: { $ref: '#/$defs/Leaf' } },
  });
});

test('says where each place stands in the document', () => {
  const { placeOf } = compile(root, '/components/schemas/Twice');
  expect(placeOf('/allOf/0')).toBe('/components/schemas/Twice/allOf/0');
  expect(placeOf('/$defs/Leaf/type')).toBe('/components/schemas/Leaf/type');
  expect(placeOf('/$defs/Leaf-2/type')).toBe('/components/responses/Leaf/type');
  expect(placeOf('/$defs/Leaf/not')).toBe('/components/schemas/Leaf');
});

test('refuses a place where no schema stands', () => {
  expect(() => at('Nothing')).toThrow('No schema stands at /components/schemas/Nothing');
});

test('judges schemas that each have the next one twice in their allOf', () => {
  const last = 40;
  const ref = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index}` });
  const chain = Array.from({ length: last }, (_, index): [string, JsonObject] => [
    `S${index}`,
    { allOf: [ref(index + 1), ref(index + 1)] },
  ]);
  const schemas = { ...Object.fromEntries(chain), [`S${last}`]: { type: 'integer' } };
  const whole = compile({ components: { schemas } }, '/components/schemas/S0');
  const judge = whole.validator({ formats: 'assert', integers: 'by-value' });
  expect([judge(1, false).length, judge('x', false).length]).toEqual([0, 1]);
});
