import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { selfContainedSchema } from './self-contained-schema.ts';

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
    },
    responses: { Leaf: { type: 'string' } },
  },
};

function at(name: string): boolean | JsonObject {
  return selfContainedSchema(root, `/components/schemas/${name}`).schema;
}

test('pulls in what is referred to, in circles too', () => {
  const tree = { properties: { left: { $ref: '#/$defs/Tree' }, leaf: { $ref: '#/$defs/Leaf' } } };
  const leaf = { type: 'integer', example: { $ref: '#/components/schemas/Gone' }, enum: [{ $ref: 'text' }] };
  expect(at('Tree')).toEqual({ ...tree, $defs: { Tree: tree, Leaf: leaf } });
});

test('gives a schema without references as it is, and does not hand out the document itself', () => {
  expect(at('Leaf')).toEqual(root['components'] && at('Leaf'));
  const copy = at('Leaf');
  if (typeof copy === 'object') {
    copy['type'] = 'string';
  }
  expect(at('Leaf')).toMatchObject({ type: 'integer' });
  expect(at('Any')).toBe(true);
});

test('names definitions so that they need no escaping', () => {
  expect(at('A~1B {c}')).toEqual({ anyOf: [{ $ref: '#/$defs/Own' }], $defs: { Own: { type: 'null' } } });
  const escaped = { a: { $ref: '#/b c~1d' }, 'b c/d': {} };
  expect(selfContainedSchema(escaped, '/a').schema).toEqual({
    $ref: '#/$defs/b_c_d',
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
  const { placeOf } = selfContainedSchema(root, '/components/schemas/Twice');
  expect(placeOf('/allOf/0')).toBe('/components/schemas/Twice/allOf/0');
  expect(placeOf('/$defs/Leaf/type')).toBe('/components/schemas/Leaf/type');
  expect(placeOf('/$defs/Leaf-2/type')).toBe('/components/responses/Leaf/type');
  expect(placeOf('/$defs/Leaf/not')).toBe('/components/schemas/Leaf');
});

test('refuses a place where no schema stands', () => {
  expect(() => at('Nothing')).toThrow('No schema stands at /components/schemas/Nothing');
});
