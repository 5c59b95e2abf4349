import type { JsonValue } from '../../json/json-value.ts';
import type { ParameterShape } from './parameter-shape.ts';

/** Makes the text that is meant of the text that was sent. */
export type DecodeText = (text: string) => string;

type Pair = readonly [name: string, text: string];

/** Puts an object together. Properties are defined, not assigned, so that `__proto__` is one like any other. */
export function toObject(shape: ParameterShape & { kind: 'object' }, pairs: readonly Pair[]): JsonValue {
  return Object.fromEntries(pairs.map(([name, text]) => [name, shape.coerceProperty(name, text)]));
}

/** `x=1` each. */
function cutPairs(parts: readonly string[], decode: DecodeText): readonly Pair[] {
  return parts.map((part) => {
    const equals = part.indexOf('=');
    return equals === -1
      ? [decode(part), '']
      : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
  });
}

/** `x`, `1` in turn. */
function pairUp(parts: readonly string[], decode: DecodeText): readonly Pair[] {
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) => [
    decode(parts[index * 2] ?? ''),
    decode(parts[index * 2 + 1] ?? ''),
  ]);
}

/**
 * The value of one text that holds a whole parameter: lists and objects are cut at a delimiter, and their
 * parts decoded after that, so that a delimiter that is meant can be sent encoded (OpenAPI 3.1 §4.8.12.3,
 * RFC 6570 §3.2.1).
 *
 * @param input.text - as it was sent, the prefix of a label or matrix style taken off
 * @param input.delimiter - between the parts
 * @param input.decode - applied to each part
 */
export function readDelimited(input: {
  readonly text: string;
  readonly shape: ParameterShape;
  readonly explode: boolean;
  readonly delimiter: string | RegExp;
  readonly decode: DecodeText;
}): JsonValue {
  const { text, shape, explode, delimiter, decode } = input;
  if (shape.kind === 'text') {
    return shape.coerce(decode(text));
  }
  const parts = text === '' ? [] : text.split(delimiter);
  if (shape.kind === 'array') {
    return parts.map((part) => shape.coerceItem(decode(part)));
  }
  return toObject(shape, explode ? cutPairs(parts, decode) : pairUp(parts, decode));
}
