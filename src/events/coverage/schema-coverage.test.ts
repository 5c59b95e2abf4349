import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { createSchemaCount, tallySchema } from './schema-coverage.ts';

/** What counting some values of a schema comes to: `met/broken` by the place of each keyword. */
function count(schema: JsonObject, values: readonly JsonValue[]): Readonly<Record<string, string>> {
  const compiled = compileSchema({ schema, pointer: '' });
  const validate = compiled.validator({ formats: 'ignore', integers: 'by-value' });
  const counted = createSchemaCount(compiled);
  for (const value of values) {
    const problems = validate(value, false);
    if (problems.length === 0) {
      counted.meet(value);
    } else {
      counted.break(problems, value);
    }
  }
  return Object.fromEntries(
    tallySchema(compiled, counted, 'body').map(({ pointer, met, broken }) => [pointer, `${met}/${broken}`]),
  );
}

test('counts what meets and what breaks each keyword', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 3 } },
  };
  expect(count(schema, [{ name: 'abc' }, { name: 'abcd' }, { name: 1 }, {}, []])).toEqual({
    '/type': '1/1',
    '/required': '1/1',
    '/properties/name/type': '1/1',
    '/properties/name/maxLength': '1/1',
  });
});

test('takes a keyword for met only once an accepted value holds what it is about', () => {
  const schema = {
    properties: { tag: { type: 'string' }, size: { type: ['string', 'null'], maxLength: 3 } },
  };
  expect(count(schema, [{ size: null }, {}])).toEqual({
    '/properties/tag/type': '0/0',
    '/properties/size/type': '2/0',
    '/properties/size/maxLength': '0/0',
  });
});

test('counts every keyword that says the same of a value as the one that is named', () => {
  const schema = {
    allOf: [
      { type: 'object', required: ['a', 'b'] },
      { type: 'object', required: ['b'] },
    ],
  };
  expect(count(schema, [[], { a: 1 }, { b: 1 }])).toEqual({
    '/allOf/0/type': '0/1',
    '/allOf/0/required': '0/2',
    '/allOf/1/type': '0/1',
    '/allOf/1/required': '0/1',
  });
});

test('counts anyOf where one of its branches is named', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'object', required: ['id'] }] };
  expect(count(schema, ['text', {}])).toMatchObject({
    '/anyOf': '1/1',
    '/anyOf/0/type': '1/0',
    '/anyOf/1/type': '0/0',
    '/anyOf/1/required': '0/1',
  });
});

test('leaves out what nothing can break', () => {
  expect(count({ additionalProperties: true, required: [], uniqueItems: false, title: 'A' }, [1])).toEqual(
    {},
  );
});

test('follows a schema into itself', () => {
  const schema = {
    $ref: '#/$defs/tree',
    $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } } } },
  };
  expect(count(schema, [{ child: { child: {} } }, { child: { child: 1 } }])).toEqual({
    '/$defs/tree/type': '1/1',
  });
});

test('counts the first keywords of a schema that has thousands, so that memory does not grow with each answer', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `p${index}`);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  };
  const counted = count(schema, [{ p0: 'a' }]);
  expect(Object.keys(counted).length).toBeLessThan(1_000);
  expect(counted).toMatchObject({ '/type': '1/0', '/properties/p0/type': '1/0' });
});
