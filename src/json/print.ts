import { ExactNumber } from './exact-number.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from './value.ts';

/** Writes a JSON value as text. Exact numbers keep their digits. */
export function stringifyJson(value: JsonValue): string {
  return holdsExactNumber(value) ? writeExactly(value) : JSON.stringify(value);
}

/** Returns a string unchanged, and any other value as JSON. */
export function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** JSON.stringify does not support exact numbers, but is many times faster. */
function writeExactly(value: JsonValue): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof ExactNumber) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeExactly(item)).join(',')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${writeExactly(member)}`,
  );
  return `{${members.join(',')}}`;
}

/** Writes a JSON value over several lines, with two spaces for each level. Exact numbers keep their digits. */
export function indentJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isJsonObject(value) ? Object.entries(value) : [];
  const parts = isList
    ? value.map((item) => indentJson(item, inner))
    : members.map(([name, member]) => `${JSON.stringify(name)}: ${indentJson(member, inner)}`);
  if (parts.length === 0) return stringifyJson(value);
  const lines = parts.map((part) => inner + part).join(',\n');
  return isList ? `[\n${lines}\n${indent}]` : `{\n${lines}\n${indent}}`;
}
