import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../json/value.ts';
import { compileSchema } from './compile.ts';
import { Interpreter } from './interpret.ts';
import { createPlainSchemaTest } from './plain-schema.ts';
import type { JsonSchema } from './walk.ts';

const usual = { formats: 'assert', integers: 'by-value' } as const;
const isPlainSchema = (schema: JsonSchema): boolean => createPlainSchemaTest(schema, new WeakSet())(schema);

const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const schema = tie('schema');
  const few = fc.array(schema, { minLength: 1, maxLength: 2 });
  const name = fc.constantFrom('a', 'b', '__proto__', 'toString');
  const count = fc.constantFrom(0, 1, 1.5, 2);
  const named = fc.dictionary(name, schema, { maxKeys: 2, noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.record<Record<string, unknown>>(
        {
          type: fc.constantFrom('string', 'integer', 'number', 'object', 'array', ['string', 'null']),
          format: fc.constantFrom('date', 'uuid', 'uri', 'int32', 'byte', 'password', 'unheard-of'),
          minLength: count,
          maxLength: count,
          pattern: fc.constantFrom('^a', 'b$'),
          minimum: count,
          exclusiveMaximum: count,
          multipleOf: fc.constantFrom(0.5, 2),
          enum: fc.constantFrom(['a', 1], [null, 'b']),
          minItems: count,
          uniqueItems: fc.boolean(),
          maxProperties: count,
          required: fc.array(name, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record<Record<string, unknown>>(
        {
          properties: named,
          patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), schema, {
            maxKeys: 1,
            noNullPrototype: true,
          }),
          additionalProperties: schema,
          propertyNames: schema,
          items: schema,
          prefixItems: few,
        },
        { requiredKeys: [] },
      ),
      fc.record<Record<string, unknown>>(
        {
          allOf: few,
          anyOf: few,
          oneOf: few,
          not: schema,
          $ref: fc.constantFrom('#/$defs/A', '#/$defs/B'),
        },
        { requiredKeys: [] },
      ),
      fc.record<Record<string, unknown>>(
        {
          if: schema,
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: schema,
          else: schema,
          contains: schema,
          minContains: fc.constantFrom(1, 2),
          maxContains: fc.constantFrom(1, 2),
          dependentRequired: fc.constantFrom({ a: ['b'] }, { toString: ['a', 'b'] }),
          dependentSchemas: named,
          unevaluatedItems: schema,
          unevaluatedProperties: schema,
        },
        { requiredKeys: [] },
      ),
      fc.boolean(),
      // `as`: a record of keywords is a schema.
    ) as fc.Arbitrary<JsonSchema>,
  };
}).schema;

const roots = fc.record({ A: schemas, B: schemas, root: schemas }).map(({ A, B, root }): JsonSchema => ({
  // Definitions are a level below, so that none is in itself.
  ...(typeof root === 'boolean' ? { allOf: [root] } : root),
  $defs: { A: { items: A }, B: { properties: { a: B } } },
}));

const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>('', 'a', 'ab', '😀', '2020-01-31', null, true, 0, 1, 2, 0.75, 3_000_000_000),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value;

/** Whether the compiler departs from the specification, or says it in other words. */
function isOdd(schema: string, value: string): boolean {
  return (
    schema.includes('__proto__') ||
    (schema.includes('unevaluated') && value.includes('__proto__')) ||
    (schema.includes('unevaluatedItems') && schema.includes('contains')) ||
    schema.includes('"items":false')
  );
}

test('finds wrong what the compiled validator finds wrong, in the same order', () => {
  let plain = 0;
  fc.assert(
    fc.property(roots, values, fc.constantFrom('assert', 'strings', 'ignore'), (schema, value, formats) => {
      const mode = { formats, integers: 'by-value' } as const;
      plain += isPlainSchema(schema) ? 1 : 0;
      const validate = compileSchema({ schema, pointer: '' }).validator(mode);
      const compiled = validate(value, false);
      // Values with exact numbers are always interpreted.
      const interpreted = validate(value, true);
      const isCompared = !isOdd(JSON.stringify(schema), JSON.stringify(value));
      expect(isCompared ? interpreted : compiled).toEqual(compiled);
      const first = compileSchema({ schema, pointer: '' }).validator(mode).accepts(value, false);
      expect(first).toBe(compiled.length === 0);
    }),
    { numRuns: 100 },
  );
  expect(plain).toBeGreaterThan(5);
});

test.each<[string, JsonSchema]>([
  ['a pattern that is none', { pattern: '(' }],
  ['a type that is none', { properties: { a: { type: 'file' } } }],
  ['a reference that leads nowhere', { items: { $ref: '#/$defs/A' } }],
  ['what depends on what else was judged', { unevaluatedItems: false }],
  ['an enum of nothing', { enum: [] }],
])('takes %s for no plain schema', (_, schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});

test('leaves a text to the compiler that its pattern cannot judge, and judges shorter ones', () => {
  const code: JsonSchema = { pattern: '^(?:[a-z](?=[a-z]|$)){2,}$' };
  const interpreter = new Interpreter({ items: code }, usual, { steps: 1_000, isPlain: true });
  const answers = [['ab'], ['a'], ['a'.repeat(5_000)]].map((value) => interpreter.accepts(value));
  expect(answers).toEqual([true, false, undefined]);
});

test('judges nothing any more when it has judged much', () => {
  const items = { items: { type: 'integer' } };
  const interpreter = new Interpreter(items, usual, { steps: 20_000, isPlain: true });
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  const answers = Array.from({ length: 30 }, () => interpreter.accepts(many));
  expect([answers[0], answers.at(-1)]).toEqual([true, undefined]);
});

test('tells what a value comes to for both, before and after compiling', () => {
  const schema: JsonSchema = { items: { type: 'integer', maximum: 5 } };
  const validate = compileSchema({ schema, pointer: '' }).validator(usual);
  const accepted = (): readonly boolean[] => [[1, 2], [6]].map((value) => validate.accepts(value, false));
  expect(accepted()).toEqual([true, false]);
  expect(validate([6], false)).toHaveLength(1);
  expect(accepted()).toEqual([true, false]);
});
