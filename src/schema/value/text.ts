import { ClocheError } from '../../errors/cloche-error.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema } from '../compile.ts';
import { fitsPattern, meetsUncheckedPattern } from '../pattern.ts';
import { findText } from '../pattern-texts.ts';

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
  if (value instanceof ExactNumber) return Number(value.text);
  return typeof value === 'number' ? value : undefined;
}

/** Returns the minimum and maximum number of code points of a text (JSON Schema 2020-12 validation §6.3). */
export function lengthsOf({ minLength, maxLength }: JsonObject): {
  readonly shortest: number;
  readonly longest: number;
} {
  return { shortest: count(minLength) ?? 0, longest: count(maxLength) ?? Infinity };
}

/** Returns whether a text matches the length and the pattern of a merged schema. */
export function fitsText(text: string, schema: JsonObject): boolean {
  const { shortest, longest } = lengthsOf(schema);
  const { pattern } = schema;
  const { length } = [...text];
  return (
    length >= shortest && length <= longest && (typeof pattern !== 'string' || fitsPattern(text, pattern))
  );
}

const filler = ' with some more words';

/** Adapts a text to the length that a schema allows: cuts it, or appends words. */
export function fitLength(text: string, schema: JsonObject): string {
  const points = [...text];
  const { shortest, longest } = lengthsOf(schema);
  if (points.length > longest) return points.slice(0, longest).join('');
  const missing = shortest - points.length;
  if (missing <= 0 || shortest > longestText) return text;
  const more = filler.repeat(Math.ceil(missing / filler.length));
  const wordEnd = more.slice(missing).search(/ |$/u) + missing;
  const end = points.length + wordEnd > longest ? missing : wordEnd;
  return (text + more.slice(0, end)).replace(/ $/u, '.');
}

/** The maximum length of a generated text. */
const longestText = 1_000_000;

/**
 * Returns the notations of a UTC time (RFC 3339 §5.6), given as `2026-01-01T00:00:00Z`; the usual one comes first. They
 * have 20, 24, 25 and 29 characters. A schema with a length for times means one of them.
 */
export function dateTimeForms(time: string): readonly string[] {
  const seconds = time.replace(/Z$/u, '');
  return ['Z', '.000Z', '+00:00', '.000+00:00'].map((end) => `${seconds}${end}`);
}

/** Returns a text that a merged string schema probably accepts by its `format`, `minLength` and `maxLength`. */
function usualText(schema: JsonObject): string {
  const { format } = schema;
  const known = typeof format === 'string' && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  const { shortest, longest } = lengthsOf(schema);
  const forms = format === 'date-time' && known !== undefined ? dateTimeForms(known) : [];
  return (
    forms.find(({ length }) => length >= shortest && length <= longest) ?? known ?? fitLength('text', schema)
  );
}

/** A cache of texts by pattern and the other keywords of their schemas: a document tends to have few. */
const known = new Map<string, string>();
/** The maximum size of the cache: documents are reloaded while they are edited. */
const mostKnown = 10_000;

/** Returns a text that a merged string schema accepts, always the same; if none is found, one that fits in part. */
export function sampleText({ pattern, format, minLength, maxLength }: JsonObject): string {
  const others: JsonObject = {
    ...(format !== undefined && { format }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
  };
  const usual = usualText(others);
  if (typeof pattern !== 'string' || fitsPattern(usual, pattern)) return usual;
  const asked = { type: 'string', pattern, ...others };
  const key = stringifyJson(asked);
  const found = known.get(key) ?? findFitting(asked, pattern) ?? usual;
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

function findFitting(asked: JsonObject, pattern: string): string | undefined {
  const schema = compileSchema({ schema: asked, pointer: '' });
  const fits = (text: string): boolean => {
    let isAccepted = false;
    const isUnsure = meetsUncheckedPattern(() => {
      isAccepted = schema.validator({ formats: 'assert', integers: 'by-value' }).accepts(text, false);
    });
    return isAccepted && !isUnsure;
  };
  try {
    return findText(pattern, lengthsOf(asked).shortest, fits);
  } catch (error) {
    // An invalid pattern cannot be compiled.
    if (!(error instanceof ClocheError)) throw error;
    return undefined;
  }
}
