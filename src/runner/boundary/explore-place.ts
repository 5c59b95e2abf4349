import type { Boundary } from '../../check/boundary.ts';
import type { Judged } from '../../check/judged.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { toDecimal } from '../../json/to-decimal.ts';
import { toJsonNumber } from '../../json/to-json-number.ts';
import { findCharacterBoundaries } from './find-character-boundaries.ts';
import { findItemBoundaries } from './find-item-boundaries.ts';
import { findGreatestLength, findLeastLength } from './find-length-boundaries.ts';
import { findSpaceBoundary } from './find-space-boundary.ts';
import { findValueBoundaries, type RefusedNumber } from './find-value-boundaries.ts';
import type { Prober } from './prober.ts';

/** A value that stood at a place of a body that was refused. */
export interface RefusedValue {
  readonly value: JsonValue;
  readonly judged: Judged;
}

/** What is known of the place that is explored. */
export interface PlaceSearch {
  readonly prober: Prober;
  readonly place: JsonPointer;
  readonly refused: readonly RefusedValue[];
  /** What stands there in a plain body. */
  readonly plain: JsonValue | undefined;
  /** The most bytes that the text of the value may have, as bodies are limited. */
  readonly mostBytes: number;
}

/** Lengths of texts of letters that are tried until one is taken, as a document may ask for long ones. */
const usualLengths = [6, 12, 24, 48, 3, 1];

function toInteger(value: JsonValue | undefined): bigint | undefined {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) {
    return undefined;
  }
  const { coefficient, exponent } = toDecimal(value);
  return exponent < 0 || exponent > 30 ? undefined : coefficient * 10n ** BigInt(exponent);
}

async function exploreText(search: PlaceSearch, texts: readonly string[]): Promise<readonly Boundary[]> {
  const { prober, place, mostBytes } = search;
  let taken: number | undefined;
  for (const length of usualLengths) {
    if ((await prober.put(place, 'a'.repeat(length))).verdict === 'taken') {
      taken = length;
      break;
    }
  }
  if (taken === undefined) {
    return [];
  }
  const again = 'a'.repeat(taken);
  if ((await prober.putAgain(place, again)).verdict === 'refused') {
    // Nothing that is sent to find a limit can be sent twice.
    return [{ what: 'repeated', place, refused: again }];
  }
  const bytes = texts.map((text) => new TextEncoder().encode(text).length);
  const longest = Math.min(Math.max(...bytes), mostBytes);
  const greatest = await findGreatestLength({ prober, place, taken, longest });
  const limit = greatest?.what === 'length' ? greatest.accepted : mostBytes;
  const least = texts.includes('') ? await findLeastLength({ prober, place, taken }) : undefined;
  const lengths = [greatest, least].filter((boundary) => boundary !== undefined);
  // Long texts of letters alone say nothing of characters.
  if (texts.every((text) => /^[a-z]*$/u.test(text) && text !== '')) {
    return lengths;
  }
  const letters = 'a'.repeat(least?.what === 'length' ? least.accepted : 1);
  const spaces = await findSpaceBoundary({ prober, place, letters });
  const characters = await findCharacterBoundaries({ prober, place, letters, longest: limit });
  return [...lengths, ...(spaces === undefined ? [] : [spaces]), ...characters];
}

/** Whole numbers that are tried until one is taken, where that of a plain body is not. */
const usualNumbers = [1n, 10n, 100n, 0n, 1_000n, -1n];

async function exploreNumber(
  search: PlaceSearch,
  refused: readonly RefusedNumber[],
): Promise<readonly Boundary[]> {
  const { prober, place, plain } = search;
  const isKey = place === prober.body.key?.pointer;
  const own = toInteger(plain);
  const candidates = isKey
    ? [BigInt(prober.freshSerial())]
    : [...(own === undefined ? [] : [own]), ...usualNumbers];
  for (const taken of candidates) {
    if ((await prober.put(place, toJsonNumber(String(taken)))).verdict === 'taken') {
      const boundaries = await findValueBoundaries({ prober, place, refused, taken, isKey });
      return boundaries;
    }
  }
  return [];
}

/** Searches the boundaries of the values at one place of a body, with what was refused there for a start. */
export async function explorePlace(search: PlaceSearch): Promise<readonly Boundary[]> {
  const { prober, place, refused, plain } = search;
  const texts = refused.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const numbers = refused.flatMap(({ value, judged }) => {
    const number = toInteger(value);
    return number === undefined ? [] : [{ number, judged }];
  });
  const counts = refused.flatMap(({ value }) => (Array.isArray(value) ? [value.length] : []));
  const isKey = place === prober.body.key?.pointer;
  return [
    ...(texts.length > 0 && !isKey ? await exploreText(search, texts) : []),
    ...(numbers.length > 0 ? await exploreNumber(search, numbers) : []),
    ...(counts.length > 0 && Array.isArray(plain)
      ? await findItemBoundaries({ prober, place, list: plain, counts })
      : []),
  ];
}
