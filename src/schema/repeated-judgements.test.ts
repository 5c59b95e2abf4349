import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { compileSchema } from './compile.ts';

const levels = 14;
const reading = { formats: 'assert', integers: 'by-value' } as const;

/** Schemas that each have the next one more than once for the same value; the last one asks for a text at `a`. */
function repeat(shape: (next: JsonObject) => JsonObject): JsonObject {
  const $defs: JsonObject = {
    [`S${levels}`]: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  };
  for (let level = 0; level < levels; level += 1) {
    $defs[`S${level}`] = shape({ $ref: `#/$defs/S${level + 1}` });
  }
  return { $ref: '#/$defs/S0', $defs };
}

/** An object that counts how often anybody looks at its member `a`. */
function countLooks(a: string | number): { readonly value: JsonObject; readonly looks: () => number } {
  let looks = 0;
  const value = Object.defineProperty({}, 'a', {
    enumerable: true,
    get() {
      looks += 1;
      return a;
    },
  });
  return { value, looks: () => looks };
}

test.each<[string, (next: JsonObject) => JsonObject, boolean]>([
  ['anyOf', (next) => ({ anyOf: [next, next] }), true],
  ['anyOf with other words', (next) => ({ anyOf: [next, { title: 'again', allOf: [next] }] }), true],
  ['allOf with other words', (next) => ({ allOf: [next, { title: 'again', ...next }] }), true],
  ['oneOf', (next) => ({ oneOf: [next, next, true] }), true],
  ['if', (next) => Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, next])), true],
  ['not', (next) => ({ not: { anyOf: [{ not: next }, { not: next }] } }), true],
  ['dependentSchemas', (next) => ({ ...next, dependentSchemas: { a: next } }), true],
])(
  'a value is judged once by schemas that name each other again and again in %s',
  (_name, shape, isValid) => {
    const validate = compileSchema({ schema: repeat(shape), pointer: '' }).validator(reading);
    const good = countLooks('a text');
    expect(validate(good.value, false).length === 0).toBe(isValid);
    expect(good.looks()).toBeLessThan(10 * levels);
    const bad = countLooks(7);
    expect(validate(bad.value, false).length === 0).toBe(!isValid);
    expect(bad.looks()).toBeLessThan(10 * levels);
  },
);

test('what was judged before is judged anew where it has changed', () => {
  const schema = repeat((next) => ({ anyOf: [next, next] }));
  const validate = compileSchema({ schema, pointer: '' }).validator(reading);
  const value: JsonObject = { a: 'a text' };
  expect(validate(value, false)).toEqual([]);
  value['a'] = 7;
  expect(validate(value, false)).not.toEqual([]);
  expect(validate({ list: [value] }, false)).not.toEqual([]);
});
