import type { JsonValue } from '../../json/json-value.ts';
import type { Parameter } from '../parameter.ts';
import type { ParameterShape } from './parameter-shape.ts';
import { decodeQueryText, type QueryMember } from './parse-query.ts';
import { readDelimited, toObject } from './read-delimited.ts';

type Style = Pick<Parameter, 'name' | 'style' | 'explode'>;

/** A delimiter that was sent encoded separates too: clients have to encode a space and a bar (OpenAPI 3.1.1 §4.8.12.4). */
const delimiters: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /u,
  pipeDelimited: /%7C|\|/iu,
};

/** The property that a member is of an object that is spread over members, if it is one. */
function propertyOf(
  member: string,
  { name, style }: Style,
  shape: ParameterShape & { kind: 'object' },
): string | undefined {
  if (style === 'deepObject') {
    return member.startsWith(`${name}[`) && member.endsWith(']')
      ? member.slice(name.length + 1, -1)
      : undefined;
  }
  return shape.names.has(member) ? member : undefined;
}

/**
 * The value of a parameter of a query or of cookies, by its style (OpenAPI 3.1 §4.8.12.3).
 *
 * @param input.members - all of them, values as they were sent
 * @returns undefined where the parameter was not sent
 */
export function readMembers(input: {
  readonly members: readonly QueryMember[];
  readonly parameter: Style;
  readonly shape: ParameterShape;
}): JsonValue | undefined {
  const { members, parameter, shape } = input;
  const { name, style, explode } = parameter;
  if (shape.kind === 'object' && (style === 'deepObject' || explode)) {
    const pairs = members.flatMap(([member, raw]): (readonly [string, string])[] => {
      const property = propertyOf(member, parameter, shape);
      return property === undefined ? [] : [[property, decodeQueryText(raw)]];
    });
    return pairs.length === 0 ? undefined : toObject(shape, pairs);
  }
  const own = members.filter(([member]) => member === name).map(([, raw]) => raw);
  const [first] = own;
  if (first === undefined) {
    return undefined;
  }
  if (shape.kind === 'array' && explode) {
    return own.map((raw) => shape.coerceItem(decodeQueryText(raw)));
  }
  return readDelimited({
    text: first,
    shape,
    explode,
    delimiter: delimiters[style] ?? ',',
    decode: decodeQueryText,
  });
}
