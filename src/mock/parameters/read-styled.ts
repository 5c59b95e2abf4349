import type { Parameter } from '../../contract/parameter.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { ParameterShape } from './parameter-shape.ts';

type Decode = (text: string) => string;

function toObject(
  shape: ParameterShape & { kind: 'object' },
  pairs: readonly (readonly [string, string])[],
): JsonValue {
  // Properties are defined, not assigned, so that __proto__ is one like any other.
  return Object.fromEntries(pairs.map(([name, text]) => [name, shape.coerceProperty(name, text)]));
}

function toPairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: Math.ceil(texts.length / 2) }, (_, index) => [
    texts[index * 2] ?? '',
    texts[index * 2 + 1] ?? '',
  ]);
}

/**
 * The value of one text that holds a whole parameter: lists and objects are cut at a delimiter
 * (OpenAPI 3.1 §4.8.12.3).
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
  readonly decode: Decode;
}): JsonValue {
  const { text, shape, explode, delimiter, decode } = input;
  if (shape.kind === 'text') {
    return shape.coerce(decode(text));
  }
  const parts = text === '' ? [] : text.split(delimiter);
  if (shape.kind === 'array') {
    return parts.map((part) => shape.coerceItem(decode(part)));
  }
  const pairs = explode
    ? parts.map((part): [string, string] => {
        const equals = part.indexOf('=');
        return equals === -1
          ? [decode(part), '']
          : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
      })
    : toPairs(parts.map(decode));
  return toObject(shape, pairs);
}

const queryDelimiters: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /u,
  pipeDelimited: /%7C|\|/iu,
};

/**
 * The value of a parameter of a query or cookie, by its style (OpenAPI 3.1 §4.8.12.3).
 *
 * @param input.members - all members of the query, values as they were sent
 * @returns undefined where the parameter was not sent
 */
export function readMembers(input: {
  readonly parameter: Parameter;
  readonly shape: ParameterShape;
  readonly members: readonly (readonly [name: string, rawValue: string])[];
  readonly decode: Decode;
}): JsonValue | undefined {
  const { parameter, shape, members, decode } = input;
  const { name, style, explode } = parameter;
  if (shape.kind === 'object' && (style === 'deepObject' || explode)) {
    const pairs = members.flatMap(([member, raw]): [string, string][] => {
      const property =
        style === 'deepObject'
          ? member.startsWith(`${name}[`) && member.endsWith(']')
            ? member.slice(name.length + 1, -1)
            : undefined
          : shape.names.includes(member)
            ? member
            : undefined;
      return property === undefined ? [] : [[property, decode(raw)]];
    });
    return pairs.length === 0 ? undefined : toObject(shape, pairs);
  }
  const own = members.filter(([member]) => member === name).map(([, raw]) => raw);
  const [first] = own;
  if (first === undefined) {
    return undefined;
  }
  if (shape.kind === 'array' && explode) {
    return own.map((raw) => shape.coerceItem(decode(raw)));
  }
  return readDelimited({ text: first, shape, explode, delimiter: queryDelimiters[style] ?? ',', decode });
}
