import { expect, test } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { compileSchema } from '../schema/compile.ts';
import { plainValues } from './from-schema.ts';
import type { PlainBody } from './plain-body.ts';
import type { Body } from './request-case.ts';
import { renderBody } from './request.ts';
import { extremeStrings } from './unusual-strings.ts';

function bodyOf(schema: JsonObject): PlainBody {
  const compiled = compileSchema({ schema, pointer: '' });
  const values = plainValues(compiled);
  expect.assert(values !== undefined);
  return { contentType: 'application/json', schema: compiled, ...values, key: undefined, items: [] };
}

/** The bodies as objects. */
function valuesOf(bodies: readonly Body[]): readonly JsonObject[] {
  return bodies.flatMap((parts) => {
    const parsed = parseJson(new TextDecoder().decode(renderBody(parts, () => '1')));
    return parsed.kind === 'json' && isJsonObject(parsed.value) ? [parsed.value] : [];
  });
}

/** The texts `text0` and so on, the first of them required. */
function textsOf(count: number, required: number): PlainBody {
  const names = [...Array(count).keys()].map((index) => `text${index}`);
  return bodyOf({
    type: 'object',
    required: names.slice(0, required),
    properties: {
      day: { type: 'string', format: 'date' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    },
  });
}

const kinds: readonly (readonly [title: string, form: RegExp])[] = [
  ['empty', /^$/u],
  ['padded', /^ .* $/u],
  ['past ASCII', /\P{ASCII}/u],
  ['with a NUL', /\0/u],
  ['with a single quote', /'/u],
  ['with a double quote and a backslash', /".*\\/u],
  ['like markup', /%s.*\{\{.*<b>/u],
  ['long', /^.{1000}$/u],
];

test.each([
  { count: 2, required: 1 },
  { count: 5, required: 5 },
  { count: 12, required: 1 },
  { count: 12, required: 11 },
])(
  'each of $count texts, $required of them required, has an example of every kind',
  ({ count, required }) => {
    const values = valuesOf(extremeStrings(textsOf(count, required)).examples);
    expect(values.length).toBeLessThanOrEqual(80);
    const missing = [...Array(count).keys()].flatMap((index) =>
      kinds.flatMap(([title, form]) => {
        const texts = values.map((value) => value[`text${index}`]);
        return texts.some((text) => typeof text === 'string' && form.test(text)) ? [] : [`${index} ${title}`];
      }),
    );
    expect(missing).toEqual([]);
  },
);

test.each([2, 12])('a required text of %i is tried with and without what is optional', (count) => {
  const values = valuesOf(extremeStrings(textsOf(count, 1)).examples);
  const unusual = values.filter(({ text0 }) => typeof text0 === 'string' && !/^[a-z]+$/iu.test(text0));
  const sizeOf = (value: JsonObject): number => Object.keys(value).length;
  expect(new Set(unusual.map(sizeOf))).toEqual(new Set([1, count + 1]));
  expect(unusual.filter(({ text0 }) => text0 === ' padded ').map(sizeOf)).toContain(1);
});

test('texts that must differ are not all made the same', () => {
  const body = bodyOf({
    type: 'array',
    uniqueItems: true,
    minItems: 12,
    prefixItems: Array.from({ length: 12 }, () => ({ type: 'string' })),
  });
  const firsts = extremeStrings(body).examples.map((parts) => JSON.stringify(parts));
  expect(firsts.filter((text) => text.includes("it's")).length).toBeGreaterThanOrEqual(5);
});

test.each([
  ['empty', ''],
  ['past ASCII', 'é'],
  ['long', 'a'.repeat(1000)],
])('texts are %s all together too', (_title, text) => {
  const values = valuesOf(extremeStrings(textsOf(3, 1)).examples);
  const names = ['text0', 'text1', 'text2'];
  expect(values.some((value) => names.every((name) => value[name] === text))).toBe(true);
});
