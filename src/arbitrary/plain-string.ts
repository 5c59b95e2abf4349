import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function word(minLength: number, maxLength: number): Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });
}

/** Whole seconds from 2000 to 2030, so that no reader meets an odd calendar. */
function moment(): Arbitrary<string> {
  return fc
    .integer({ min: 946_684_800, max: 1_893_456_000 })
    .map((seconds) => new Date(seconds * 1000).toISOString());
}

/** A plain text for each format that JSON Schema or OpenAPI names (JSON Schema 2020-12 validation §7.3). */
const formats: Readonly<Record<string, () => Arbitrary<string>>> = {
  date: () => moment().map((text) => text.slice(0, 10)),
  'date-time': () => moment().map((text) => text.replace('.000Z', 'Z')),
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

function matching(pattern: string): Arbitrary<string> | undefined {
  const anchored = `${pattern.startsWith('^') ? '' : '^'}(?:${pattern.replace(/^\^/u, '').replace(/\$$/u, '')})$`;
  // A top-level alternation carries anchors of its own in each branch.
  const source = pattern.includes('|') && /[$^]/u.test(pattern) ? pattern : anchored;
  try {
    return fc.stringMatching(new RegExp(source, 'u'), { size: 'xsmall' });
  } catch {
    return undefined;
  }
}

function bound(values: readonly (JsonValue | undefined)[], pick: (...numbers: number[]) => number): number {
  return pick(...values.filter((value) => typeof value === 'number'));
}

/**
 * Texts that anybody would send: 3 to 20 ASCII letters, or what the length, the format or the pattern of
 * the schema asks for instead. Not every text need be valid where a schema combines these.
 *
 * @param conjuncts - the schemas that must all hold
 */
export function plainString(conjuncts: readonly JsonObject[]): Arbitrary<string> {
  const least = Math.max(
    0,
    bound(
      conjuncts.map((schema) => schema['minLength']),
      Math.max,
    ),
  );
  const most = bound(
    conjuncts.map((schema) => schema['maxLength']),
    Math.min,
  );
  const pattern = conjuncts.map((schema) => schema['pattern']).find((value) => typeof value === 'string');
  const matched = pattern === undefined ? undefined : matching(pattern);
  if (matched !== undefined) {
    return matched;
  }
  const format = conjuncts.map((schema) => schema['format']).find((value) => typeof value === 'string');
  const formatted = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (formatted !== undefined) {
    return formatted();
  }
  const shortest = Math.min(Math.max(3, least), most);
  return word(shortest, Math.max(shortest, Math.min(Math.max(20, least), most)));
}
