import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  duration: 'P1D',
  email: 'someone@example.com',
  hostname: 'example.com',
  'idn-email': 'someone@example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  iri: 'https://example.com/',
  'iri-reference': '/',
  'json-pointer': '/',
  regex: '.*',
  'relative-json-pointer': '0',
  time: '00:00:00Z',
  uri: 'https://example.com/',
  'uri-reference': '/',
  'uri-template': '/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000001',
  byte: 'dGV4dA==',
};

function count(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : value instanceof ExactNumber ? Number(value.text) : undefined;
}

/**
 * Fits a text into the length that a schema allows, in code points (JSON Schema 2020-12 validation §6.3).
 *
 * @param schema - with `minLength` and `maxLength`, if it has them
 */
export function fitLength(text: string, schema: JsonObject): string {
  const points = [...text];
  const shortest = count(schema['minLength']) ?? 0;
  const longest = count(schema['maxLength']) ?? Infinity;
  return points.length > longest
    ? points.slice(0, longest).join('')
    : text.padEnd(text.length + shortest - points.length, '.');
}

/**
 * A text that a string schema most likely accepts.
 *
 * @param schema - merged, see mergeSchema; of its keywords `format`, `minLength` and `maxLength` are looked at
 */
export function sampleText(schema: JsonObject): string {
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  return known ?? fitLength('text', schema);
}
