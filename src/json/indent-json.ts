import { isJsonObject } from './is-json-object.ts';
import type { JsonValue } from './json-value.ts';
import { stringifyJson } from './stringify-json.ts';

/** Writes a JSON value over several lines, two spaces for each level, exact numbers digit for digit. */
export function indentJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => indentJson(item, inner))
    : isJsonObject(value)
      ? Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${indentJson(member, inner)}`)
      : [];
  if (parts.length === 0) {
    return stringifyJson(value);
  }
  const lines = parts.map((part) => inner + part).join(',\n');
  return isList ? `[\n${lines}\n${indent}]` : `{\n${lines}\n${indent}}`;
}
