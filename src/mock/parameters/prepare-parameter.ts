import type { Parameter } from '../../contract/parameter.ts';
import { isJsonMediaType } from '../../http/is-json-media-type.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { describeSchemaProblem } from '../../schema/describe-schema-problem.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { holdsExactNumber } from '../bodies/holds-exact-number.ts';
import type { RequestHead } from '../steps/request-head.ts';
import { type ParameterShape, toParameterShape } from './parameter-shape.ts';
import { parseCookies } from './parse-cookies.ts';
import { decodeQueryText, type QueryMember } from './parse-query.ts';
import { readDelimited, readMembers } from './read-styled.ts';

/** Where the parameters of one request are read from. */
export interface ParameterSource {
  readonly head: RequestHead;
  /** Of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly QueryMember[];
}

/** Says what is wrong with a parameter of a request, or undefined where nothing is. */
export type CheckParameter = (source: ParameterSource) => string | undefined;

function asIs(text: string): string {
  return text;
}

function readPath(
  parameter: Parameter,
  shape: ParameterShape,
  path: ParameterSource['path'],
): JsonValue | undefined {
  const { name, style, explode } = parameter;
  const text = Object.hasOwn(path, name) ? path[name] : undefined;
  if (text === undefined) {
    return undefined;
  }
  if (style === 'label') {
    return readDelimited({
      text: text.replace(/^\./u, ''),
      shape,
      explode,
      delimiter: explode ? '.' : ',',
      decode: asIs,
    });
  }
  if (style === 'matrix') {
    const isExplodedObject = shape.kind === 'object' && explode;
    const bare = isExplodedObject ? text.slice(1) : text.replaceAll(`;${name}=`, ';').slice(1);
    return readDelimited({ text: bare, shape, explode, delimiter: explode ? ';' : ',', decode: asIs });
  }
  return readDelimited({ text, shape, explode, delimiter: ',', decode: asIs });
}

function createReader(
  parameter: Parameter,
  shape: ParameterShape,
): (source: ParameterSource) => JsonValue | undefined {
  const { name, explode } = parameter;
  switch (parameter.in) {
    case 'path':
      return ({ path }) => readPath(parameter, shape, path);
    case 'query':
      return ({ query }) => readMembers({ parameter, shape, members: query, decode: decodeQueryText });
    case 'header': {
      const field = name.toLowerCase();
      return ({ head }) => {
        const text = head.header(field);
        const decode = (part: string): string => part.trim();
        return text === undefined
          ? undefined
          : readDelimited({ text, shape, explode, delimiter: ',', decode });
      };
    }
    case 'cookie':
      return ({ head }) =>
        readMembers({
          parameter,
          shape,
          members: parseCookies(head.header('cookie')),
          decode: decodeQueryText,
        });
  }
}

/** A parameter with `content` is one text in a media type (OpenAPI 3.1 §4.8.12.2); JSON is read, anything else is a string. */
function readContent(text: JsonValue | undefined, essence: string): JsonValue | undefined {
  if (typeof text !== 'string' || !isJsonMediaType(essence)) {
    return text;
  }
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : text;
}

/**
 * Prepares the check of a parameter: that it is there where it must be, and that its value, read by its
 * style, fits its schema.
 */
export function prepareParameter(parameter: Parameter, reading: SchemaReading): CheckParameter {
  const { name, required, mediaType } = parameter;
  const subject = `the ${parameter.in} parameter "${name}"`;
  const schema = parameter.schema?.schema ?? true;
  const validate = parameter.schema?.validator(reading);
  const read = createReader(parameter, toParameterShape(mediaType === undefined ? schema : true));
  return (source) => {
    const sent = read(source);
    const value = mediaType === undefined ? sent : readContent(sent, mediaType.toLowerCase());
    if (value === undefined) {
      return required ? `${subject} is required, but missing` : undefined;
    }
    const problem = validate?.(value, holdsExactNumber(value))[0];
    if (problem === undefined) {
      return undefined;
    }
    const said = describeSchemaProblem({ problem, value, subject });
    return problem.pointer === '' && said.startsWith(subject) ? said : `${subject}: ${said}`;
  };
}
