import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { plainValues } from '../arbitrary/from-schema.ts';
import type { JsonValue } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import type { JsonSchema } from '../schema/walk.ts';
import { SchemaComparison } from './compare-schemas.ts';

/** The changes between two schemas as lines: `narrower name: is required now`. */
function compare(old: JsonSchema, now: JsonSchema): readonly string[] {
  const [one, other] = [old, now].map((schema) => compileSchema({ schema, pointer: '' }));
  const changes = new SchemaComparison().compare(one, other);
  return changes.map(({ effect, path, says }) => `${effect} ${path === '' ? '' : `${path}: `}${says}`);
}

const text = { type: 'string' };
const pet = { type: 'object', properties: { name: text } };
const closed = { ...pet, additionalProperties: false };
const tagged = (tag: string, more = {}): JsonSchema => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: tag }, ...more },
});

const table: readonly (readonly [old: JsonSchema, now: JsonSchema, ...lines: string[]])[] = [
  // Types and values.
  [{}, text, 'narrower must be a string now'],
  [text, {}, 'wider can be of any type now'],
  [text, true, 'wider can be of any type now'],
  [
    text,
    { type: 'integer' },
    'narrower is an integer now, not a string',
    'wider is an integer now, not a string',
  ],
  [text, { type: ['string', 'null'] }, 'wider can be null now'],
  [{ anyOf: [text, { type: 'null' }] }, { type: ['string', 'null'] }],
  [{ type: ['string', 'null'] }, text, 'narrower cannot be null any more'],
  [{ type: 'number' }, { type: 'integer' }, 'narrower must be an integer now'],
  [{ type: 'integer' }, { type: 'number' }, 'wider can be a number now'],
  [{ type: ['string', 'integer'] }, text, 'narrower cannot be an integer any more'],
  [text, { type: ['string', 'integer'] }, 'wider can be an integer now'],
  [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }, 'narrower cannot be "a" any more', 'wider can be "c" now'],
  [{ const: 1 }, { enum: [1.0, 2] }, 'wider can be 2 now'],
  [text, { type: 'string', enum: ['a'] }, 'narrower can only be "a" now'],
  [{ type: 'string', enum: ['a'] }, text, 'wider is no longer limited to "a"'],
  [
    { type: 'string', enum: ['a'] },
    { type: 'string', minLength: 2 },
    'narrower cannot be "a" any more',
    'wider is no longer limited to "a"',
  ],
  [
    { type: ['string', 'null'], enum: ['a'] },
    { type: 'string', enum: ['a'] },
  ],
  [
    { type: ['string', 'null'], enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
    'wider can be null now',
  ],
  // Bounds.
  [
    { type: 'string', maxLength: 5 },
    { type: 'string', maxLength: 4 },
    'narrower must have at most 4 characters now, before 5',
  ],
  [
    { type: 'string', maxLength: 5 },
    { type: 'string', maxLength: 6 },
    'wider only has to have at most 6 characters now, before 5',
  ],
  [{ type: 'string', minLength: 1 }, text, 'wider need not have at least 1 character any more'],
  [text, { type: 'string', minLength: 0 }],
  [
    { type: 'integer', minimum: 1 },
    { type: 'integer', exclusiveMinimum: 0 },
  ],
  [
    { type: 'number', minimum: 0 },
    { type: 'number', exclusiveMinimum: 0 },
    'narrower must be more than 0 now, before 0',
  ],
  [
    { type: 'number', exclusiveMaximum: 5 },
    { type: 'number', maximum: 5 },
    'wider only has to be at most 5 now, before 5',
  ],
  [{ allOf: [{ type: 'integer', maximum: 9 }, { maximum: 5 }] }, { type: 'integer', maximum: 5 }],
  [{ maxLength: 5, type: 'integer' }, { type: 'integer' }],
  [
    { type: 'array', items: text },
    { type: 'array', items: text, minItems: 1 },
    'narrower must have at least 1 item now',
  ],
  [
    { type: 'object', maxProperties: 2 },
    { type: 'object' },
    'wider need not have at most 2 properties any more',
  ],
  // Constraints.
  [text, { type: 'string', pattern: '^a' }, 'narrower has pattern "^a" now'],
  [
    { type: 'string', pattern: '^a' },
    { type: 'string', pattern: '^b' },
    'changed has pattern "^b" now, not "^a"',
  ],
  [{ type: 'string', format: 'uuid' }, text, 'wider no longer has format "uuid"'],
  [text, { type: 'string', format: 'password' }, 'note has format "password" now'],
  [
    { type: 'integer', format: 'int32' },
    { type: 'integer', format: 'int64' },
    'wider has format "int64" now, not "int32"',
  ],
  [
    { type: 'integer', multipleOf: 10 },
    { type: 'integer', multipleOf: 5 },
    'wider has multipleOf 5 now, not 10',
  ],
  [{ type: 'array' }, { type: 'array', uniqueItems: true }, 'narrower has uniqueItems now'],
  // Objects.
  [pet, { ...pet, required: ['name'] }, 'narrower name: is required now'],
  [{ ...pet, required: ['name'] }, pet, 'wider name: is not required any more'],
  [pet, { ...pet, properties: { name: text, age: text } }, 'note age: is new'],
  [
    pet,
    { ...pet, properties: { name: text, age: text }, required: ['age'] },
    'narrower age: is new and required',
  ],
  [pet, { type: 'object' }, 'changed name: is not declared any more'],
  [{ ...pet, required: ['name'] }, { type: 'object' }, 'wider name: is gone, and was required'],
  [pet, closed, 'narrower *: is not allowed any more'],
  [closed, pet, 'wider *: is allowed now'],
  [closed, { ...closed, properties: { name: text, age: text } }, 'wider age: is new'],
  [closed, { ...closed, properties: {} }, 'narrower name: is not allowed any more'],
  [{ ...pet, unevaluatedProperties: false }, { ...closed }],
  [
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: { type: 'integer' } },
    'narrower *: is an integer now, not a string',
    'wider *: is an integer now, not a string',
  ],
  [
    { type: 'object', additionalProperties: text },
    { ...pet, additionalProperties: text },
  ],
  [{ allOf: [pet, { required: ['name'] }] }, { ...pet, required: ['name'] }],
  [
    pet,
    { ...pet, properties: { name: { ...text, deprecated: true, default: 'x' } } },
    'note name: is deprecated now',
    'note name: has the default "x" now',
  ],
  // Arrays.
  [
    { type: 'array', items: text },
    { type: 'array', items: { type: 'integer' } },
    'narrower []: is an integer now, not a string',
    'wider []: is an integer now, not a string',
  ],
  [
    { type: 'array', prefixItems: [text] },
    { type: 'array', prefixItems: [text, text] },
    'narrower [1]: must be a string now',
  ],
  [
    { type: 'array', prefixItems: [text], items: false },
    { type: 'array', prefixItems: [text] },
    'wider []: is allowed now',
  ],
  // Alternatives.
  [tagged('cat'), { oneOf: [tagged('cat'), tagged('dog')] }, 'wider can be another alternative now'],
  [
    { oneOf: [tagged('cat'), tagged('dog')] },
    { oneOf: [tagged('dog')] },
    'narrower cannot be another alternative any more',
  ],
  [{ oneOf: [tagged('cat'), tagged('dog')] }, { oneOf: [tagged('dog'), tagged('cat')] }],
  [
    { oneOf: [tagged('cat'), tagged('dog')] },
    { oneOf: [tagged('cat', { name: text }), tagged('dog')] },
    'note name: is new',
  ],
  [{ anyOf: [text, { type: 'integer' }] }, { type: ['string', 'integer'] }],
  [text, { anyOf: [text, { type: 'string', maxLength: 3 }] }],
  [
    { oneOf: [text] },
    { oneOf: [text, { type: 'string', maxLength: 3 }] },
    'changed may match other branches of its oneOf now',
  ],
  [
    { oneOf: [pet, { type: 'object', required: ['x'] }] },
    { oneOf: [pet] },
    'changed cannot be another alternative any more',
  ],
  // Other keywords.
  [{ not: text }, { not: { type: 'string', minLength: 2 } }, 'wider must have at least 2 characters now'],
  [text, { type: 'string', not: { enum: ['a'] } }, 'narrower has not now'],
  [
    { if: text, else: { minLength: 1 } },
    { if: { type: 'integer' }, else: { minLength: 1 } },
    'changed is an integer now, not a string',
    'changed is an integer now, not a string',
  ],
  [
    { type: 'object', patternProperties: { '^x': text } },
    { type: 'object' },
    'wider no longer has patternProperties',
  ],
];

test.each(table.map(([old, now, ...lines]) => ({ old, now, lines })))(
  'compares $old with $now',
  ({ old, now, lines }) => {
    expect(compare(old, now)).toEqual(lines);
    expect([compare(old, old), compare(now, now)]).toEqual([[], []]);
  },
);

/** Two schemas with much in common. */
type Pair = readonly [old: JsonSchema, now: JsonSchema];

/** Pairs of one type, whose keywords have few values, so that one schema often contains the other. */
function pairOf(type: string, keywords: Record<string, readonly JsonValue[]>): Arbitrary<Pair> {
  const one = fc.record(
    Object.fromEntries(Object.entries(keywords).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  );
  const isNullable = fc.boolean();
  return fc
    .tuple(one, one, fc.boolean(), isNullable, isNullable)
    .map(([old, now, isSame, ...nullable]): Pair => {
      const [first, second] = [old, isSame ? old : now].map((schema, index) => ({
        ...schema,
        type: nullable[index] === true ? [type, 'null'] : type,
      }));
      return [first ?? {}, second ?? {}];
    });
}

const names = ['a', 'b', 'c'];
const pairs: Arbitrary<Pair> = fc.letrec<{ any: Pair; object: Pair; array: Pair; union: Pair }>((tie) => ({
  object: fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...names), tie('any')), { maxLength: 3 }),
      fc.tuple(fc.subarray(names), fc.subarray(names)),
      fc.tuple(fc.constantFrom(undefined, false, text), fc.constantFrom(undefined, false, text)),
    )
    .map(([properties, required, others]): Pair => {
      const [old, now] = ([0, 1] as const).map((side) => ({
        type: 'object',
        properties: Object.fromEntries(properties.map(([name, pair]) => [name, pair[side]])),
        required: required[side].filter((name) => properties.some(([each]) => each === name)),
        ...(others[side] === undefined ? {} : { additionalProperties: others[side] }),
      }));
      return [old ?? {}, now ?? {}];
    }),
  array: tie('any').map(([old, now]): Pair => [
    { type: 'array', items: old },
    { type: 'array', items: now, uniqueItems: true },
  ]),
  union: fc
    .tuple(
      fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('oneOf', 'anyOf', 'allOf'),
      fc.tuple(fc.nat(2), fc.nat(2)),
    )
    .map(([branches, keyword, skipped]): Pair => {
      const [old, now] = ([0, 1] as const).map((side) => {
        const list = branches.filter((_, index) => branches.length === 1 || index !== skipped[side]);
        return { [keyword]: list.map((branch) => branch[side]) };
      });
      return [old ?? {}, now ?? {}];
    }),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    pairOf('string', {
      minLength: [0, 1, 2],
      maxLength: [2, 3],
      enum: [['a'], ['a', 'ab']],
      pattern: ['^a', '^ab'],
    }),
    pairOf('integer', { minimum: [0, 1], exclusiveMinimum: [0, 1], maximum: [1, 2], multipleOf: [1, 2] }),
    pairOf('number', { minimum: [0, 1], exclusiveMaximum: [1, 2], const: [1, 1.5] }),
    fc.constantFrom<Pair>(
      [{}, {}],
      [true, text],
      [text, {}],
      [{ not: text }, { not: { type: ['string', 'null'] } }],
    ),
    tie('object'),
    tie('array'),
    tie('union'),
  ),
})).any;

/** Values that such schemas often accept. */
const values: Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<JsonValue>(null, '', 'a', 'ab', 'abc', 'bbb', 0, 1, 1.5, 2, 3, true),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 3 }),
  ),
})).any;

const mode = { formats: 'assert', integers: 'by-value' } as const;

test('each value of a schema is valid after a change that only widens it, and before one that only narrows it', () => {
  const tried = { narrower: 0, wider: 0 };
  fc.assert(
    fc.property(
      pairs,
      fc.array(values, { minLength: 30, maxLength: 30 }),
      fc.integer(),
      (pair, plain, seed) => {
        const [old, now] = pair.map((schema) => compileSchema({ schema, pointer: '' }));
        if (old === undefined || now === undefined) return;
        const changes = new SchemaComparison().compare(old, now);
        for (const [from, to, effect] of [[old, now, 'narrower'] as const, [now, old, 'wider'] as const]) {
          if (changes.some((each) => each.effect === effect || each.effect === 'changed')) continue;
          // An open schema accepts any value of a property that it does not declare.
          if (changes.some(({ kind }) => kind === 'property-added')) continue;
          const generated = plainValues(from)?.arbitrary;
          const sample = generated === undefined ? [] : fc.sample(generated, { seed, numRuns: 5 });
          for (const value of [...plain, ...sample]) {
            if (!from.validator(mode).accepts(value, false)) continue;
            tried[effect] += 1;
            expect({ value, isValid: to.validator(mode).accepts(value, false) }).toEqual({
              value,
              isValid: true,
            });
          }
        }
      },
    ),
    { numRuns: 400, seed: 1 },
  );
  expect(Math.min(tried.narrower, tried.wider)).toBeGreaterThan(100);
});
