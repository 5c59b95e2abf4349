import { parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { compileSchema, type SchemaValidator } from '../../schema/compile.ts';
import { sampleText } from '../../schema/value/text.ts';

/** A place in a list: behind or before an item, which may be gone by now. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  /** Of the item in its collection. */
  readonly position: number;
  /** What the list is sorted by, of the item; empty where it is in the order in which its items came. */
  readonly values: readonly JsonValue[];
  /** Whether `values` ends with the beginning of a text, and the rest is unknown. */
  readonly isCut: boolean;
}

/** The values of a cursor have at most so many characters of JSON: it goes into URLs and header fields. */
const longest = 240;

/** Returns values as a cursor holds them: the first ones, then the beginning of one that is too long. */
export function cutValues(values: readonly JsonValue[]): Pick<Cursor, 'values' | 'isCut'> {
  let left = longest;
  for (const [index, value] of values.entries()) {
    const { length } = stringifyJson(value);
    if (length > left) {
      // In JSON a character has six at most.
      const start = typeof value === 'string' ? value.slice(0, Math.floor(left / 6)) : '';
      return { values: [...values.slice(0, index), start], isCut: true };
    }
    left -= length;
  }
  return { values, isCut: false };
}

/** What a token begins with; whatever stands before it is none of it. */
const mark = 'zz';

/**
 * Writes a cursor as a text that clients cannot read anything into, of letters and digits alone and of a length that
 * divides by four: the patterns of most documents take it, base64 among them.
 *
 * @param scope - the list and its order, in any words; no list of another scope takes the text
 */
export function writeCursor(scope: string, { direction, position, values }: Omit<Cursor, 'isCut'>): string {
  const cut = cutValues(values);
  const kind = (direction === 'before' ? 1 : 0) + (cut.isCut ? 2 : 0);
  const text = stringifyJson([kind, position, ...cut.values]);
  const bytes = new TextEncoder().encode(text);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // White space behind it is no part of a JSON text.
  const padding = bytes.length % 2 === 0 ? '20' : '';
  return mark + checksum(scope + text) + digits + padding;
}

/** Reads a cursor that writeCursor wrote; undefined if it is of another scope, was changed, or is none. */
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
 * Prepares the spelling of a cursor that a schema accepts: as it is, or behind a text that fits the pattern, which leaves it a
 * cursor. Undefined for one that fits neither way: it leads nowhere.
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

/** It finds what was changed by mistake, and guards no secret. */
const checksum = (text: string): string => (hashText(text) >>> 0).toString(16).padStart(checksumLength, '0');

/** A number of 32 bits that a text comes to (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return hash;
}
