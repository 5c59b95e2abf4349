import fc, { type Arbitrary } from 'fast-check';
import { compareNumbers, type ExactNumber } from '../json/exact-number.ts';
import { isJsonNumber, type JsonObject, type JsonValue } from '../json/value.ts';

const largestPlain = 2 ** 31 - 1;

/** Returns the numbers of some keywords in schemas, in order. */
export function numbersOf(
  schemas: readonly JsonObject[],
  keywords: readonly string[],
): readonly (number | ExactNumber)[] {
  return schemas.flatMap((schema) => keywords.map((keyword) => schema[keyword])).filter(isJsonNumber);
}

function toNumber(value: number | ExactNumber | undefined, otherwise: number): number {
  return value === undefined ? otherwise : Number(String(value));
}

/** Returns the range of plain numbers: the intersection with 1 to 2^31−1, or else the part nearest to it. */
function plainRange(low: number, high: number): readonly [number, number] {
  if (high < 1) return [Math.max(low, high - 1000), high];
  if (low > largestPlain) return [low, Math.min(high, low + 1000)];
  return [Math.max(low, 1), Math.min(high, largestPlain)];
}

function multiples(step: number, [low, high]: readonly [number, number]): Arbitrary<number> {
  const first = Math.ceil(low / step);
  const last = Math.max(first, Math.floor(high / step));
  // Rounded to twelve digits, to turn 3 × 0.1 into 0.3.
  return fc
    .integer({ min: first, max: Math.min(last, first + largestPlain) })
    .map((count) => Number((count * step).toPrecision(12)));
}

/**
 * Generates integers from 1 to 2^31−1, or as near to them as the bounds allow, and fractions only if needed or allowed.
 */
export function plainNumber(
  conjuncts: readonly JsonObject[],
  type: 'integer' | 'number',
): Arbitrary<JsonValue> {
  const lowest = numbersOf(conjuncts, ['minimum', 'exclusiveMinimum']).toSorted((a, b) =>
    compareNumbers(b, a),
  )[0];
  const highest = numbersOf(conjuncts, ['maximum', 'exclusiveMaximum']).toSorted(compareNumbers)[0];
  const low = toNumber(lowest, Number.NEGATIVE_INFINITY);
  const high = toNumber(highest, Number.POSITIVE_INFINITY);
  const step = toNumber(numbersOf(conjuncts, ['multipleOf'])[0], type === 'integer' ? 1 : 0);
  const above = numbersOf(conjuncts, ['exclusiveMinimum']).some((value) => toNumber(value, 0) === low);
  const below = numbersOf(conjuncts, ['exclusiveMaximum']).some((value) => toNumber(value, 0) === high);
  const width = step === 0 ? 1 : step;
  const range = plainRange(
    Math.ceil(low) + (above && Number.isInteger(low) ? width : 0),
    Math.floor(high) - (below && Number.isInteger(high) ? width : 0),
  );
  // Above 2^53 only the bound itself is exact.
  if (!range.every((end) => Number.isSafeInteger(end) || step % 1 !== 0)) {
    return fc.constant((lowest !== undefined && low > 0 ? lowest : highest) ?? 1);
  }
  if (range[0] > range[1]) return step === 0 ? fc.constant((low + high) / 2) : multiples(step, [low, high]);
  if (step !== 0) return multiples(step, range);
  const whole = fc.integer({ min: range[0], max: range[1] });
  return fc.oneof(
    whole,
    whole.map((value) => (value + 0.5 < high ? value + 0.5 : value)),
  );
}
