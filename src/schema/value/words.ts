import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { fitsText, lengthsOf } from './text.ts';
import { fitsBounds } from './number.ts';
import { type ValueFromNames, typeOf } from './sample-value.ts';
import type { Draw, TextPlace } from './word-texts.ts';
import { createRandom } from '../random.ts';

/**
 * Loads the word lists for generated values, which takes a while: call it only if a value is needed. A value resembles
 * its name, `Ada Lovelace` or a price with cents, and its schema accepts it. The same names and seed give the same
 * value on the same day. It returns undefined for an unknown name of a text, if no value is known to fit, and for
 * objects and lists.
 *
 * @param now - the clock for generated times
 */
export async function loadWords(now: () => number): Promise<ValueFromNames> {
  const { makeTexts } = await import('./word-texts.ts');
  const timeAfter = (days: number, seconds: number): string => {
    // The same day always gives the same times.
    const midnight = Math.floor(now() / dayMs) * dayMs;
    return `${new Date(midnight + days * dayMs + seconds * 1000).toISOString().slice(0, 19)}Z`;
  };

  return (names, schema, seed) => {
    if ('not' in schema || 'if' in schema) return undefined;
    const name = names.at(-1) ?? '';
    const draw = createDraw(`${seed}/${name}`);
    if (Array.isArray(schema['enum'])) return draw.pick(schema['enum']);
    if ('const' in schema) return schema['const'];
    const words = toWords(name);
    const place: TextPlace = {
      words,
      around: names.slice(0, -1).map(toWords).join(' '),
      draw,
      shared: createDraw(seed),
      timeAfter: (days) => timeAfter(days, draw.integer(21_600, 72_000)),
    };
    switch (typeOf(schema)) {
      case 'string': {
        const { format } = schema;
        const texts = makeTexts(place, typeof format === 'string' ? format : undefined);
        return texts.find((text) => fitsText(text, schema)) ?? shorten(texts[0], schema);
      }
      case 'integer':
      case 'number':
        return makeNumber(place, schema);
      case 'boolean':
        return !/\b(?:deleted|archived|blocked|disabled|hidden|cancelled|banned|expired)$/u.test(words);
      default:
        return undefined;
    }
  };
}

const dayMs = 86_400_000;

/** Splits a name into words: `customerName` and `customer_name` become `customer name`. */
export function toWords(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Creates choices from a seed: FNV-1a hashes it to a number, and mulberry32 generates many numbers from that. */
function createDraw(seed: string): Draw {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) {
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  }
  const next = createRandom(state);
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    pick<T>(values: readonly T[]): T {
      // `as`: the index is in the list, which is never empty.
      return values[integer(0, values.length - 1)] as T;
    },
    digits: (count) => Array.from({ length: count }, () => integer(0, 9)).join(''),
  };
}

/** Cuts a text between words to the maximum length, or repeats it up to the minimum length. */
function shorten(text: string | undefined, schema: JsonObject): string | undefined {
  if (text?.includes(' ') !== true || 'format' in schema) return undefined;
  const { shortest, longest } = lengthsOf(schema);
  if (shortest > mostRepeated) return undefined;
  let made = text;
  while (made.length < shortest) made = `${made} ${text}`;
  while (made.length > longest && made.includes(' ')) made = made.slice(0, made.lastIndexOf(' '));
  return fitsText(made, schema) ? made : undefined;
}

const mostRepeated = 2000;

/** Names of numbers, the bounds of generated values, and the number of decimals. */
const ranges: readonly (readonly [name: RegExp, from: number, to: number, decimals?: number])[] = [
  [/\b(?:salary|income|budget|revenue)\b/u, 30_000, 120_000],
  [/\bcents$/u, 500, 20_000],
  [/\b(?:price|amount|cost|total|subtotal|fee|tax|balance|charge|payment|value)s?$/u, 5, 200, 2],
  [/\blat(?:itude)?$/u, -60, 70, 4],
  [/\b(?:lng|lon|long|longitude)$/u, -170, 170, 4],
  [/\bid$/u, 1, 1000],
  [/\bage$/u, 18, 80],
  [/\byear$/u, 1990, 2026],
  [/\bmonth$/u, 1, 12],
  [/\bday$/u, 1, 28],
  [/\bhours?$/u, 0, 23],
  [/\b(?:minutes?|seconds?|duration)$/u, 1, 59],
  [/\b(?:rating|score|stars|grade)$/u, 1, 5, 1],
  [/\b(?:percent|percentage|discount|rate|progress)$/u, 1, 100],
  [/\b(?:temperature|temp)$/u, 8, 30, 1],
  [/\b(?:weight|height|width|length|depth|size|area|volume)$/u, 1, 100, 1],
  [/\b(?:distance|mileage)$/u, 1, 500, 1],
  [/\b(?:stock|inventory|views|likes|followers|bytes)$/u, 0, 2000],
  [/\bport$/u, 1024, 49_151],
  [/\b(?:quantity|qty|count|capacity|seats|guests|nights|rooms)$/u, 1, 20],
  [/\b(?:priority|level|rank|position|order|index|version|page)$/u, 1, 5],
];

/** Generates a number by its name within the bounds of its schema, in steps of its `multipleOf`. */
function makeNumber({ words, draw, timeAfter }: TextPlace, schema: JsonObject): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const numbers = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf];
  // Numbers with more digits than a JavaScript number are not supported here.
  if (numbers.some((each) => each instanceof ExactNumber)) return undefined;
  const isWhole = typeOf(schema) === 'integer';
  const [, from, to, decimals = 0] = ranges.find(([name]) => name.test(words)) ?? [words, 1, 100];
  if (isWhole && /\b(?:timestamp|(?:created|updated|expires|deleted) at)$/u.test(words)) {
    const seconds = Date.parse(timeAfter(draw.integer(-30, -1))) / 1000;
    if (fitsBounds(seconds, schema)) return seconds;
  }
  const only = (...bounds: readonly (JsonValue | undefined)[]): readonly number[] =>
    bounds.filter((bound) => typeof bound === 'number');
  const low = Math.max(...only(minimum, exclusiveMinimum), -Number.MAX_SAFE_INTEGER);
  const high = Math.min(...only(maximum, exclusiveMaximum), Number.MAX_SAFE_INTEGER);
  const usual = isWhole ? 1 : 10 ** -decimals;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : usual;
  const isInside = from <= high && to >= low;
  const nearest = low > to ? low : Math.max(low, high - 100);
  const start = isInside ? Math.max(from, low) : nearest;
  const end = isInside ? Math.min(to, high) : Math.min(high, start + 100);
  // The bounds may be exclusive.
  const made = Array.from({ length: 4 }, () =>
    Number((draw.integer(Math.ceil(start / step), Math.floor(end / step)) * step).toFixed(10)),
  );
  return made.find((value) => fitsBounds(value, schema));
}
