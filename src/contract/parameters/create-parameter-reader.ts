import { isJsonMediaType } from '../../http/is-json-media-type.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Parameter } from '../parameter.ts';
import type { ParameterSource } from '../parameter-source.ts';
import { type ParameterShape, toParameterShapes } from './parameter-shape.ts';
import { parseCookies } from './parse-cookies.ts';
import { readDelimited } from './read-delimited.ts';
import { readMembers } from './read-members.ts';
import { readPathText } from './read-path-text.ts';

/**
 * Reads a parameter of a request: the values that it may stand for, the likeliest first; none where the
 * request does not have it.
 */
export type ParameterReader = (source: ParameterSource) => readonly JsonValue[];

type Style = Pick<Parameter, 'name' | 'in' | 'style' | 'explode'>;
type ShapeReader = (source: ParameterSource) => JsonValue | undefined;

function createShapeReader(parameter: Style, shape: ParameterShape): ShapeReader {
  const { name, explode } = parameter;
  switch (parameter.in) {
    case 'path':
      return ({ path }) => {
        const text = Object.hasOwn(path, name) ? path[name] : undefined;
        return text === undefined ? undefined : readPathText({ text, parameter, shape });
      };
    case 'query':
      return ({ query }) => readMembers({ members: query, parameter, shape });
    case 'header': {
      const field = name.toLowerCase();
      const decode = (part: string): string => part.trim();
      return ({ header }) => {
        const text = header(field);
        return text === undefined
          ? undefined
          : readDelimited({ text, shape, explode, delimiter: ',', decode });
      };
    }
    case 'cookie':
      return ({ header }) => readMembers({ members: parseCookies(header('cookie')), parameter, shape });
  }
}

/** A parameter with `content` is one text in a media type (OpenAPI 3.1 §4.8.12.2); what is not JSON is a string. */
function createContentReader(parameter: Style, mediaType: string): ParameterReader {
  const read = createShapeReader(parameter, { kind: 'text', coerce: (text) => text });
  const isJson = isJsonMediaType(mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return (source) => {
    const text = read(source);
    const parsed = isJson && typeof text === 'string' ? parseJson(text) : undefined;
    return parsed?.kind === 'json' ? [parsed.value] : text === undefined ? [] : [text];
  };
}

/**
 * Prepares the reader of a parameter by its style (OpenAPI 3.1 §4.8.12.2) or media type.
 *
 * @param parameter.schema - standing alone
 */
export function createParameterReader(
  parameter: Style & Pick<Parameter, 'mediaType'> & { readonly schema: JsonSchema },
): ParameterReader {
  const { mediaType, schema } = parameter;
  if (mediaType !== undefined) {
    return createContentReader(parameter, mediaType);
  }
  const readers = toParameterShapes(schema).map((shape) => createShapeReader(parameter, shape));
  const [only] = readers.length === 1 ? readers : [];
  const read: ParameterReader = (source) =>
    readers.map((each) => each(source)).filter((value) => value !== undefined);
  return only === undefined
    ? read
    : (source) => {
        const value = only(source);
        return value === undefined ? [] : [value];
      };
}
