import { stringify } from 'yaml';
import { escapeInStrings, escapeLine } from '../errors/console-text.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonValue } from '../json/json-value.ts';

function toPlain(value: JsonValue): unknown {
  if (value instanceof ExactNumber) {
    return /^-?\d+$/u.test(value.text) ? BigInt(value.text) : Number(value.text);
  }
  if (Array.isArray(value)) {
    return value.map(toPlain);
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]))
    : value;
}

/**
 * Writes a JSON value as YAML 1.2, integers digit for digit, for people to read. A text that readers of YAML 1.1 would
 * take for something else, such as `yes`, stands in quotes, and where a text holds what a terminal or a CI server obeys
 * all do, with that escaped.
 */
export function renderYaml(value: JsonValue): string {
  const plain = toPlain(value);
  const options = { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const;
  const text = stringify(plain, options);
  if (text.split('\n').every((line) => escapeLine(line) === line)) {
    return text;
  }
  return escapeInStrings(
    stringify(plain, {
      ...options,
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'QUOTE_DOUBLE',
      // One that were broken over lines could begin one with a command.
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    }),
  );
}
