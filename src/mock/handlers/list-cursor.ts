import { hashText } from '../../json/fingerprint.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema, type SchemaValidator } from '../../schema/compile.ts';
import { sampleText } from '../../schema/value/text.ts';

/** A position in a list: after or before an item, which may no longer exist. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  /** The position of the item in its collection. */
  readonly position: number;
  /** The sort values of the item; empty if the list is in the order of creation. */
  readonly values: readonly JsonValue[];
  /** Whether `values` ends with the prefix of a text, and the rest is unknown. */
  readonly isCut: boolean;
}

/** The maximum length of the values of a cursor, in characters of JSON: it is part of URLs and header fields. */
const longest = 240;

/** Returns values as a cursor contains them: the first ones, then the prefix of one that is too long. */
export function cutValues(values: readonly JsonValue[]): Pick<Cursor, 'values' | 'isCut'> {
  let left = longest;
  for (const [index, value] of values.entries()) {
    const { length } = stringifyJson(value);
    if (length > left) {
      // In JSON, a character has six characters at most.
      const start = typeof value === 'string' ? value.slice(0, Math.floor(left / 6)) : '';
      return { values: [...values.slice(0, index), start], isCut: true };
    }
    left -= length;
  }
  return { values, isCut: false };
}

/** The prefix of a token; any text before it is ignored. */
const mark = 'zz';

/**
 * Writes a cursor as an opaque text. It consists of letters and digits, and its length is a multiple of four. The
 * patterns of most documents accept it, base64 included.
 *
 * @param scope - a text for the list and its order; only a list with the same scope accepts the cursor
 */
export function writeCursor(scope: string, { direction, position, values }: Omit<Cursor, 'isCut'>): string {
  const cut = cutValues(values);
  const kind = (direction === 'before' ? 1 : 0) + (cut.isCut ? 2 : 0);
  const text = stringifyJson([kind, position, ...cut.values]);
  const bytes = new TextEncoder().encode(text);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // Trailing white space does not change a JSON text.
  const padding = bytes.length % 2 === 0 ? '20' : '';
  return mark + checksum(scope + text) + digits + padding;
}

/** Parses a cursor that writeCursor wrote; undefined if it has another scope, was changed, or is not a cursor. */
export function readCursor(scope: string, token: string): Cursor | undefined {
  const found = token.slice(token.lastIndexOf(mark) + mark.length);
  const digits = found.slice(checksumLength);
  if (!token.includes(mark) || !/^(?:[\da-f]{2})+$/u.test(digits)) return undefined;
  const bytes = Uint8Array.from(digits.match(/../gu) ?? [], (each) => Number.parseInt(each, 16));
  const content = new TextDecoder().decode(bytes).trimEnd();
  if (found.slice(0, checksumLength) !== checksum(scope + content)) return undefined;
  const read = parseJsonValue(content);
  if (!Array.isArray(read)) return undefined;
  const [kind, position, ...values] = read;
  if (typeof position !== 'number' || typeof kind !== 'number') return undefined;
  return { direction: kind % 2 === 1 ? 'before' : 'after', position, values, isCut: kind >= 2 };
}

const ofTexts = new Set(['pattern', 'minLength', 'maxLength']);
const asDeclared = { formats: 'ignore', integers: 'by-value' } as const;

/**
 * Prepares the spelling of a cursor that a schema accepts: unchanged, or after a text that fits the pattern, which
 * keeps it a cursor. Returns undefined for a cursor that fits neither way and is unusable.
 */
export function cursorSpeller(schema: JsonObject): (cursor: string) => string | undefined {
  const bounds = Object.fromEntries(Object.entries(schema).filter(([keyword]) => ofTexts.has(keyword)));
  if (Object.keys(bounds).length === 0) return (cursor) => cursor;
  let validate: SchemaValidator | undefined;
  return (cursor) => {
    validate ??= compileSchema({ schema: bounds, pointer: '' }).validator(asDeclared);
    return [cursor, sampleText(schema) + cursor].find((text) => validate?.(text, false).length === 0);
  };
}

const checksumLength = 8;

/** Detects accidental changes; it protects no secret. */
const checksum = (text: string): string => (hashText(text) >>> 0).toString(16).padStart(checksumLength, '0');
