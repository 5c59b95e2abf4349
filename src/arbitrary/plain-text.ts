import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject } from '../json/value.ts';
import { userFormats } from '../schema/formats.ts';
import { createTextDrawer, shortestMatch } from '../schema/pattern-texts.ts';
import { dateTimeForms, fitsText } from '../schema/value/text.ts';

/** The letters of ASCII. */
export const letters: readonly string[] = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function word(minLength: number, maxLength: number): Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
}

/** Whole seconds from 2000 to 2030, which avoids unusual calendars. */
function moment(): Arbitrary<string> {
  return fc
    .integer({ min: 946_684_800, max: 1_893_456_000 })
    .map((seconds) => new Date(seconds * 1000).toISOString());
}

/** A plain text for each format of JSON Schema or OpenAPI (JSON Schema 2020-12 validation §7.3). */
const formats: Readonly<Record<string, (fits: (text: string) => boolean) => Arbitrary<string>>> = {
  date: () => moment().map((text) => text.slice(0, 10)),
  'date-time': (fits) =>
    moment().map((text) => {
      const usual = text.replace('.000Z', 'Z');
      return dateTimeForms(usual).find(fits) ?? usual;
    }),
  time: () => moment().map((text) => `${text.slice(11, 19)}Z`),
  duration: () => fc.integer({ min: 1, max: 30 }).map((days) => `P${days}D`),
  email: () => word(3, 10).map((name) => `${name}@example.com`),
  'idn-email': () => word(3, 10).map((name) => `${name}@example.com`),
  hostname: () => word(3, 10).map((name) => `${name.toLowerCase()}.example.com`),
  'idn-hostname': () => word(3, 10).map((name) => `${name.toLowerCase()}.example.com`),
  ipv4: () => fc.integer({ min: 1, max: 254 }).map((last) => `192.0.2.${last}`),
  ipv6: () => fc.integer({ min: 1, max: 65_535 }).map((last) => `2001:db8::${last.toString(16)}`),
  uri: () => word(3, 10).map((name) => `https://example.com/${name}`),
  url: () => word(3, 10).map((name) => `https://example.com/${name}`),
  iri: () => word(3, 10).map((name) => `https://example.com/${name}`),
  'uri-reference': () => word(3, 10).map((name) => `/${name}`),
  'iri-reference': () => word(3, 10).map((name) => `/${name}`),
  'uri-template': () => word(3, 10).map((name) => `/${name}/{item}`),
  uuid: () => fc.uuid(),
  'json-pointer': () => word(3, 10).map((name) => `/${name}`),
  'relative-json-pointer': () => word(3, 10).map((name) => `0/${name}`),
  regex: () => word(3, 10),
  // Base64 of whole groups needs no padding.
  byte: () => fc.string({ unit: fc.constantFrom('YWJj', 'ZGVm', 'Z2hp'), minLength: 1, maxLength: 4 }),
  char: () => word(1, 1),
};

/** Returns whether texts of a format differ from words. */
export const hasPlainText = (format: string): boolean => Object.hasOwn(formats, format);

function textsOf(format: string | undefined, fits: (text: string) => boolean): Arbitrary<string> | undefined {
  if (format === undefined) return undefined;
  const given = userFormats.get(format)?.examples.filter(fits) ?? [];
  if (given.length > 0) return fc.constantFrom(...given);
  return hasPlainText(format) ? formats[format]?.(fits) : undefined;
}

/** The maximum length of a generated text. */
const longestText = 1_000_000;

/** Independent of the seed of a run: whether a format matches a pattern does not depend on it. */
const sampleSeed = 1;

/**
 * Generates texts of 3 to 20 ASCII letters, or as length, format and patterns require. Returns undefined if no text
 * satisfies the patterns and the length.
 *
 * @param conjuncts - the schemas that a text must satisfy together, such as the parts of an `allOf`
 */
export function plainString(conjuncts: readonly JsonObject[]): Arbitrary<string> | undefined {
  const least = Math.max(0, limit(conjuncts, 'minLength', Math.max));
  const most = limit(conjuncts, 'maxLength', Math.min);
  if (least > longestText || least > most) return undefined;
  const texts = (keyword: string): readonly string[] =>
    conjuncts.map((schema) => schema[keyword]).filter((value) => typeof value === 'string');
  const [format] = texts('format');
  const ofFormat = textsOf(format, ({ length }) => length >= least && length <= most);
  const patterns = [...new Set(texts('pattern'))];
  const fits = (text: string): boolean => conjuncts.every((schema) => fitsText(text, schema));
  // Few texts of `[0-9]{4}-[0-9]{2}-[0-9]{2}` are dates, but dates match it.
  if (ofFormat !== undefined && fc.sample(ofFormat, { seed: sampleSeed, numRuns: 5 }).some(fits))
    return ofFormat;
  if (patterns.length > 0) return matching(patterns, { shortest: least, longest: most }, fits);
  const shortest = Math.min(Math.max(3, least), most);
  return ofFormat ?? word(shortest, Math.max(shortest, Math.min(Math.max(20, least), most)));
}

/** Generates texts from one of several patterns that match all of them. */
function matching(
  patterns: readonly string[],
  bounds: Parameters<typeof createTextDrawer>[1],
  fits: (text: string) => boolean,
): Arbitrary<string> | undefined {
  for (const pattern of patterns) {
    const draw = shortestMatch(pattern) > longestText ? undefined : createTextDrawer(pattern, bounds, fits);
    if (draw !== undefined) return fc.nat().map(draw);
  }
  return undefined;
}

/** Returns the strictest number in schemas for a keyword. */
export function limit(
  conjuncts: readonly JsonObject[],
  keyword: string,
  pick: (...numbers: number[]) => number,
): number {
  return pick(...conjuncts.map((schema) => schema[keyword]).filter((value) => typeof value === 'number'));
}
