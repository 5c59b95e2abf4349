import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { setOwn } from '../bodies/set-own.ts';

/** Texts that were made up: the generators make those of letters alone. */
const madeUp = /^[A-Za-z]{3,20}$/u;

/** `customerName` and `customer_name` read `Customer name`. */
function toWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Copies an object with another value in one place. */
function replaceAt(value: JsonObject, path: readonly string[], text: string): JsonObject {
  const [name = '', ...rest] = path;
  const copy = { ...value };
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  setOwn(copy, name, rest.length > 0 && isJsonObject(member) ? replaceAt(member, rest, text) : text);
  return copy;
}

function listTexts(value: JsonValue, path: readonly string[]): readonly (readonly string[])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => listTexts(member, [...path, name]));
  }
  return typeof value === 'string' && path.length > 0 && madeUp.test(value) ? [path] : [];
}

/**
 * Puts texts that a person can tell apart, `Name 3`, in place of made up ones, wherever the value stays valid.
 *
 * @param input.number - which of many values it is
 */
export function withReadableTexts(input: {
  readonly value: JsonObject;
  readonly number: number;
  readonly isValid: (value: JsonObject) => boolean;
}): JsonObject {
  const { value, number, isValid } = input;
  const paths = listTexts(value, []);
  const put = (into: JsonObject, path: readonly string[]): JsonObject =>
    replaceAt(into, path, `${toWords(path.at(-1) ?? '')} ${number}`.trim());
  const all = paths.reduce(put, value);
  if (isValid(all)) {
    return all;
  }
  return paths.reduce((into, path) => {
    const next = put(into, path);
    return isValid(next) ? next : into;
  }, value);
}
