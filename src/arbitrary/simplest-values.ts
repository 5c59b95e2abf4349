import { ExactNumber } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { applyEdits } from './apply-edits.ts';
import { judgeValue } from './judge-value.ts';
import type { PlainBody } from './plain-body.ts';
import { valuePlaces } from './value-places.ts';

/** Longer texts stay as they are. */
const longest = 12;

function simplerValues(value: JsonValue, leastText: number): readonly JsonValue[] {
  if (typeof value === 'string') {
    const lengths = [...Array(Math.min(value.length, longest)).keys()].map((index) => index + 1);
    return lengths.filter((length) => length >= leastText).map((length) => 'a'.repeat(length));
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return [1];
  }
  return Array.isArray(value) && value.length > 1 ? [[], value.slice(0, 1)] : [];
}

function simplify(body: PlainBody, leastText: number): JsonValue {
  const put = (base: JsonValue, at: JsonPointer, value: JsonValue): JsonValue | undefined =>
    applyEdits(body, base, [{ kind: 'put', at, value }])?.value;
  let simplest = body.smallest;
  for (const { at, value } of valuePlaces(body.smallest)) {
    const candidates = at === body.key?.pointer ? [] : simplerValues(value, leastText);
    simplest =
      candidates
        .map((simpler) => put(simplest, at, simpler))
        .find((made) => made !== undefined && judgeValue(body.schema, made) === 'valid') ?? simplest;
  }
  return simplest;
}

const known = new WeakMap<PlainBody, readonly JsonValue[]>();

/**
 * The valid values of a body that say least: without what is optional, each text as short as its schema
 * allows, and once more with texts of three letters or more, which nobody takes for unusual.
 *
 * @returns the shortest first; worked out when first asked for
 */
export function simplestValues(body: PlainBody): readonly JsonValue[] {
  const values = known.get(body) ?? [simplify(body, 1), simplify(body, 3)];
  known.set(body, values);
  return values;
}
