import { textBytes } from '../http/bytes.ts';
import type { DeclaredContent } from '../http/codecs/codec.ts';
import { formCodec } from '../http/codecs/form.ts';
import { findCodec } from '../http/codecs/registry.ts';
import { essenceOf, isJsonMediaType } from '../http/media-type.ts';
import {
  cutAtEquals,
  decodePathText,
  decodeQueryText,
  delimiters,
  parseQuery,
  type QueryMember,
} from '../http/query.ts';
import { parseJsonValue } from '../json/parse.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import {
  type CoerceText,
  createCoercion,
  createTextPlan,
  isSchema,
  type TextPlan,
} from '../schema/coerce.ts';
import { isCommaFree as isCommaFreeIn } from '../schema/comma-free.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemasInPlace, schemaTypes } from '../schema/walk.ts';

/** The parts of a request that contain its parameters. */
export interface ParameterSource {
  /** By name, percent-encoded, as returned by the router. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly QueryMember[];
  /** By name in lower case. Several fields of one name are joined with a comma (RFC 9110 §5.3). */
  readonly header: (name: string) => string | undefined;
  /** The whole request target, for parameters in the query string. @defaultValue without a query */
  readonly target?: string;
}

/** Returns the parameter source of a request with this target; `path` comes from the router. */
export function toParameterSource(input: {
  readonly target: string;
  readonly path: ParameterSource['path'];
  readonly header: ParameterSource['header'];
}): ParameterSource {
  const { target, path, header } = input;
  return { path, query: parseQuery(target), header, target };
}

/** The form of the value of a parameter. */
type ParameterShape =
  | { readonly kind: 'text'; readonly coerce: CoerceText }
  | {
      readonly kind: 'array' | 'object';
      readonly plan: TextPlan;
      /** The properties of an object. */
      readonly names: ReadonlyMap<string, unknown>;
      /** Whether an encoded comma can only separate items. */
      readonly isCommaFree: boolean;
    };

type CompoundShape = Exclude<ParameterShape, { kind: 'text' }>;

const coercible = ['number', 'integer', 'boolean'];
const singleTypes = ['string', ...coercible];

/**
 * Returns the possible forms of a parameter by its self-contained schema: a text, a list or an object, at least one. If
 * several are possible, the text comes last.
 */
function toParameterShapes(schema: JsonSchema): readonly ParameterShape[] {
  const types = schemaTypes(schema);
  const names = schemaProperties(schema);
  const isList = types.has('array');
  const isObject = types.has('object') || (types.size === 0 && names.size > 0);
  const isText = types.has('string');
  const isCoercible = coercible.some((type) => types.has(type));
  const text: ParameterShape = { kind: 'text', coerce: createCoercion(schema, schema) };
  // A schema for numbers and texts also accepts `5` as a text.
  const asSent: ParameterShape = { kind: 'text', coerce: (sent) => sent };
  const texts = isText && isCoercible ? [text, asSent] : [text];
  if (!isList && !isObject) return texts;
  const plan = createTextPlan(schema, schema, ['allOf']);
  const items = isList
    ? schemasInPlace(schema, schema)
        .map((part) => part['items'])
        .filter(isSchema)
    : [];
  const isCommaFree = items.length > 0 && items.every((item) => isCommaFreeIn(schema, item));
  const list: ParameterShape = { kind: 'array', plan, names, isCommaFree };
  const compound = [...(isList ? [list] : []), ...(isObject ? [{ ...list, kind: 'object' as const }] : [])];
  return isText || isCoercible ? [...compound, ...texts] : compound;
}

/** Parses a Cookie field (RFC 6265 §4.2.1) and removes quotes around values. */
export function parseCookies(field: string | undefined): readonly (readonly [name: string, value: string])[] {
  return (field ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const [name, value] = cutAtEquals(pair);
      return [name.trim(), value.trim().replace(/^"(.*)"$/u, '$1')];
    });
}

/** A parameter outside the body (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie';
  readonly required: boolean;
  /** The `style` in the document, or the default for `in`. */
  readonly style: string;
  readonly explode: boolean;
  /** Set if the value is one text in a media type (`content`) instead of a style. */
  readonly mediaType: string | undefined;
  /** Whether a query may contain it without a value, regardless of its schema (`allowEmptyValue`). */
  readonly allowsEmpty: boolean;
  readonly schema: CompiledSchema | undefined;
  readonly examples: readonly JsonValue[];
  /** Parses it from a request. */
  readonly read: ParameterReader;
  readonly pointer: JsonPointer;
}

/** Returns the possible values of a parameter of a request, most likely first; none if it is missing. */
export type ParameterReader = (source: ParameterSource) => readonly JsonValue[];

type Style = Pick<Parameter, 'name' | 'in' | 'style' | 'explode'> & {
  /** Whether dots may separate the values of a label without `explode`, as in OpenAPI 3.0.3 §4.7.12.4. */
  readonly mayHaveDots?: boolean;
};

/** Creates the reader of a parameter by its style (OpenAPI 3.1 §4.8.12.2) or media type. */
export function createParameterReader(
  parameter: Style & Pick<Parameter, 'mediaType'> & { readonly schema: JsonSchema },
): ParameterReader {
  const { mediaType, schema } = parameter;
  if (mediaType !== undefined) return createContentReader(parameter, mediaType);
  const { style, explode, mayHaveDots } = parameter;
  const hasTwoSpellings = style === 'label' && !explode && mayHaveDots === true;
  const readers = toParameterShapes(schema).flatMap((shape) => {
    const dotted =
      hasTwoSpellings && shape.kind !== 'text' ? [createShapeReader(parameter, shape, true)] : [];
    return [...dotted, createShapeReader(parameter, shape)];
  });
  return (source) => readers.map((read) => read(source)).filter((value) => value !== undefined);
}

/**
 * Creates the reader of a parameter whose value is the whole query string (OpenAPI 3.2 §4.12.1). A form is read as it
 * was sent, any other content after percent-decoding. Content that cannot be read is its text.
 */
export function createQuerystringReader(content: DeclaredContent): ParameterReader {
  const codec = findCodec(essenceOf(content.range));
  return ({ target = '' }) => {
    const sent = target.split('?').slice(1).join('?');
    if (sent === '') return [];
    const text = codec === formCodec ? sent : decodePathText(sent);
    const parsed = codec?.parse?.(textBytes(text), content, content.range);
    return [parsed?.kind === 'value' ? parsed.value : text];
  };
}

/** Reads a parameter with `content`: a text in a media type (OpenAPI 3.1 §4.8.12.2). Non-JSON is a string. */
function createContentReader(parameter: Style, mediaType: string): ParameterReader {
  const read = createShapeReader(parameter, { kind: 'text', coerce: (text) => text });
  const isJson = isJsonMediaType(essenceOf(mediaType));
  return (source) => {
    const text = read(source);
    const value = isJson && typeof text === 'string' ? parseJsonValue(text) : undefined;
    return [value === undefined ? text : value].filter((each) => each !== undefined);
  };
}

/** Reads by style (OpenAPI 3.1 §4.8.12.3); undefined if the parameter was not sent. */
function createShapeReader(
  parameter: Style,
  shape: ParameterShape,
  isDotted = false,
): (source: ParameterSource) => JsonValue | undefined {
  const { name, style, explode } = parameter;
  switch (parameter.in) {
    case 'path': {
      const declared = (explode ? { label: '.', matrix: ';' }[style] : undefined) ?? ',';
      const delimiter = isDotted ? '.' : declared;
      const parts = { shape, explode, delimiter, decode: decodePathText };
      return ({ path }) => {
        const text = Object.hasOwn(path, name) ? path[name] : undefined;
        // If a label contains commas, they separate its values.
        if (text === undefined || (isDotted && text.includes(','))) return undefined;
        return readDelimited(toBareText(text, parameter, shape.kind), parts);
      };
    }
    case 'query':
    case 'querystring':
      return ({ query }) => readMembers(query, parameter, shape);
    case 'header': {
      const field = name.toLowerCase();
      const parts = { shape, explode, delimiter: ',', decode: (part: string) => part.trim() };
      return ({ header }) => {
        const text = header(field);
        return text === undefined ? undefined : readDelimited(text, parts);
      };
    }
    case 'cookie':
      return ({ header }) => readMembers(parseCookies(header('cookie')), parameter, shape);
  }
}

/** Removes the prefix, and in the matrix style the name before each value: `;id=1;id=2` is `1;2`. */
function toBareText(text: string, { name, style, explode }: Style, kind: ParameterShape['kind']): string {
  if (style === 'label') return text.replace(/^\./u, '');
  if (style !== 'matrix') return text;
  const parts = text.replace(/^;/u, '').split(';');
  if (kind === 'object' && explode) return parts.join(';');
  const withoutName = (part: string): string =>
    part === name ? '' : part.slice(part.startsWith(`${name}=`) ? name.length + 1 : 0);
  return parts.map(withoutName).join(';');
}

/** `URLSearchParams` encodes the comma between items. */
const anyComma = /,|%2C/iu;

/** Reads a parameter from a query or cookies; the values of the members are still encoded. */
function readMembers(
  members: readonly QueryMember[],
  parameter: Style,
  shape: ParameterShape,
): JsonValue | undefined {
  const { name, style, explode } = parameter;
  // The cookie style has no escapes (OpenAPI 3.2 §4.12.3).
  const decode = style === 'cookie' ? (text: string) => text : decodeQueryText;
  if (shape.kind === 'object' && style === 'deepObject') return readDeepObject(members, name, shape);
  if (shape.kind === 'object' && explode) {
    const own = members.filter(([member]) => shape.names.has(member));
    const pairs = own.map(([member, raw]): Pair => [member, decode(raw)]);
    return pairs.length === 0 ? undefined : toObject(shape, pairs);
  }
  const own = members.filter(([member]) => member === name).map(([, raw]) => raw);
  const [first] = own;
  if (first === undefined) return undefined;
  if (shape.kind === 'array' && explode) return own.map((raw) => shape.plan.items().coerce(decode(raw)));
  return readDelimited(first, {
    shape,
    explode,
    delimiter: delimiters[style] ?? (shape.kind === 'array' && shape.isCommaFree ? anyComma : ','),
    decode,
  });
}

/** `state][` and `state][0`: an item of a list, as written between the outer brackets. */
const deepItem = /^(?<list>.*)\]\[(?<index>\d*)$/su;

/**
 * Reads an object in the deepObject style. OpenAPI does not define lists in it (3.0.3 §4.7.12.3): clients write
 * `filter[state]=a&filter[state]=b`, `filter[state][]=a` or `filter[state][0]=a`.
 */
function readDeepObject(
  members: readonly QueryMember[],
  name: string,
  { plan }: CompoundShape,
): JsonValue | undefined {
  const found = new Map<string, { readonly text: string; readonly index: string | undefined }[]>();
  for (const [member, raw] of members) {
    if (!member.startsWith(`${name}[`) || !member.endsWith(']')) continue;
    const inside = member.slice(name.length + 1, -1);
    const { list = inside, index } = deepItem.exec(inside)?.groups ?? {};
    const isItem = index !== undefined && plan.member(list).types.has('array');
    const property = isItem ? list : inside;
    const values = found.get(property) ?? [];
    values.push({ text: decodeQueryText(raw), index: isItem ? index : undefined });
    found.set(property, values);
  }
  if (found.size === 0) return undefined;
  const entries = [...found].map(([property, values]): [string, JsonValue] => {
    const { types, coerce, items } = plan.member(property);
    const last = values.at(-1);
    const isTextToo = singleTypes.some((type) => types.has(type));
    const isSingle = isTextToo && values.length === 1 && last?.index === undefined;
    if (!types.has('array') || isSingle) return [property, coerce(last?.text ?? '')];
    const inOrder = values.toSorted((one, two) => Number(one.index ?? '') - Number(two.index ?? ''));
    return [property, inOrder.map(({ text }) => items().coerce(text))];
  });
  return Object.fromEntries(entries);
}

interface TextParts {
  readonly shape: ParameterShape;
  readonly explode: boolean;
  readonly delimiter: string | RegExp;
  /** Applied to each part. */
  readonly decode: (text: string) => string;
}

/**
 * Splits lists and objects at a delimiter, and then decodes their parts. Literal delimiters can be sent encoded
 * (OpenAPI 3.1 §4.8.12.3, RFC 6570 §3.2.1).
 */
function readDelimited(text: string, { shape, explode, delimiter, decode }: TextParts): JsonValue {
  if (shape.kind === 'text') return shape.coerce(decode(text));
  const parts = text === '' ? [] : text.split(delimiter);
  if (shape.kind === 'array') return parts.map((part) => shape.plan.items().coerce(decode(part)));
  return toObject(shape, explode ? cutPairs(parts, decode) : pairUp(parts, decode));
}

type Pair = readonly [name: string, text: string];

/** Creates an object. `Object.fromEntries` defines properties, so `__proto__` has no special meaning. */
function toObject({ plan }: CompoundShape, pairs: readonly Pair[]): JsonValue {
  return Object.fromEntries(pairs.map(([name, text]) => [name, plan.member(name).coerce(text)]));
}

/** Splits parts like `x=1`. */
function cutPairs(parts: readonly string[], decode: TextParts['decode']): readonly Pair[] {
  return parts.map((part) => {
    const [name, value] = cutAtEquals(part);
    return [decode(name), decode(value)];
  });
}

/** Pairs alternating names and values: `x`, `1`. */
function pairUp(parts: readonly string[], decode: TextParts['decode']): readonly Pair[] {
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) => [
    decode(parts[index * 2] ?? ''),
    decode(parts[index * 2 + 1] ?? ''),
  ]);
}
