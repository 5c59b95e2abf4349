import fc, { type Arbitrary } from 'fast-check';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject } from '../json/json-value.ts';
import { judgeValue } from './judge-value.ts';
import type { PlainBody } from './plain-body.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** The longer a text, the less likely is another like it. */
const lengths = [20, 16, 12, 8, 6];

/** Random letters of both cases. Texts that fast-check would rather try, such as `__proto__`, come up too often. */
function telltale(length: number): Arbitrary<string> {
  const unbiased = fc.noBias(fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }));
  return unbiased.map((made) => {
    const text = made.join('');
    return text.slice(0, 1).toLowerCase() + text.slice(1, -1) + text.slice(-1).toUpperCase();
  });
}

/** How long a telltale text may be in the place of a property; undefined where the schema wants something else. */
function roomFor(body: PlainBody, base: JsonObject, name: string): number | undefined {
  return lengths.find(
    (length) =>
      judgeValue(body.schema, { ...base, [name]: `q${'w'.repeat(length - 2)}Z` }) === 'valid' &&
      judgeValue(body.schema, { ...base, [name]: `b${'x'.repeat(length - 2)}K` }) === 'valid',
  );
}

/**
 * Several plain bodies whose texts tell them apart: every property that takes any text holds random letters.
 * Properties that may be left out are left out now and then, as that is where a text of another request shows.
 *
 * @param howMany - how many bodies there are in a list
 * @returns undefined where no property takes any text
 */
export function telltaleBodies(
  body: PlainBody,
  howMany: number,
): Arbitrary<readonly JsonObject[]> | undefined {
  const { fullest, smallest, key } = body;
  if (!isJsonObject(fullest) || !isJsonObject(smallest)) {
    return undefined;
  }
  const rooms = Object.keys(fullest).flatMap((name) => {
    const length =
      name === key?.property || typeof fullest[name] !== 'string' ? undefined : roomFor(body, fullest, name);
    return length === undefined ? [] : [{ name, length }];
  });
  if (rooms.length === 0) {
    return undefined;
  }
  const texts = fc.tuple(...rooms.map(({ length }) => telltale(length)));
  const one = fc.tuple(texts, fc.boolean()).map(([made, isFull]): JsonObject => {
    const base = isFull ? fullest : smallest;
    const members = rooms.flatMap(({ name }, index) =>
      Object.hasOwn(base, name) ? [[name, made[index] ?? ''] as const] : [],
    );
    return { ...base, ...Object.fromEntries(members) };
  });
  return fc.array(one, { minLength: howMany, maxLength: howMany, size: 'max' });
}
