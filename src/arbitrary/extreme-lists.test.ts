import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import type { PlainBody } from './plain-body.ts';
import { extremeLists } from './unusual-bodies.ts';

function lengthsOf(items: JsonObject): readonly number[] {
  const value = { tags: ['a'] };
  const body: PlainBody = {
    contentType: 'application/json',
    schema: compileSchema({
      pointer: '',
      schema: { type: 'object', properties: { tags: { type: 'array', ...items } } },
    }),
    smallest: value,
    fullest: value,
    arbitrary: fc.constant(value),
    key: undefined,
  };
  return extremeLists(body).examples.map((example) => {
    // `as`: the body is the text of the value above with another list in it.
    const { tags } = JSON.parse(example.map((part) => (typeof part === 'string' ? part : '')).join('')) as {
      tags: readonly string[];
    };
    return new Set(tags).size;
  });
}

test('lists are empty, and longer than limits allow', () => {
  expect(lengthsOf({})).toEqual(expect.arrayContaining([0, 10, 101, 1_001]));
});

test('lists hold no item twice where they may not', () => {
  expect(lengthsOf({ uniqueItems: true })).toContain(101);
});

test('lists keep to the lengths that the document allows', () => {
  expect(new Set(lengthsOf({ minItems: 1, maxItems: 20 }))).toEqual(new Set([10, 1]));
});
