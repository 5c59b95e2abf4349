import { isJsonObject } from '../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { Body } from './body.ts';
import type { BodyPart } from './request-case.ts';

/** What stands at a place instead of the text of its value. */
export type RawTexts = ReadonlyMap<JsonPointer, Body>;

function write(
  value: JsonValue,
  pointer: JsonPointer,
  input: { readonly raw: RawTexts; readonly tokens: BodyPart[] },
): void {
  const { raw, tokens } = input;
  const text = raw.get(pointer);
  if (text !== undefined) {
    tokens.push(...text);
    return;
  }
  const isArray = Array.isArray(value);
  if (!isArray && !isJsonObject(value)) {
    tokens.push(stringifyJson(value));
    return;
  }
  tokens.push(isArray ? '[' : '{');
  for (const [index, [key, member]] of Object.entries(value).entries()) {
    if (index > 0) {
      tokens.push(',');
    }
    if (!isArray) {
      tokens.push(JSON.stringify(key), ':');
    }
    write(member, appendPointer(pointer, key), input);
  }
  tokens.push(isArray ? ']' : '}');
}

/**
 * Cuts the JSON text of a value into its tokens (RFC 8259 §2): brackets, commas, colons, strings, numbers,
 * literals. Together they are the text, without white space.
 *
 * @param raw - pieces that stand where the text of a value would
 */
export function jsonTokens(value: JsonValue, raw: RawTexts = new Map()): Body {
  const tokens: BodyPart[] = [];
  write(value, '', { raw, tokens });
  return tokens;
}
