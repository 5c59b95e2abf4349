import type { DeclaredHeader, MediaTypeContract } from '../../contract/contract.ts';
import type { Codec } from '../../http/codecs/codec.ts';
import { findCodec, jsonCodec } from '../../http/codecs/registry.ts';
import { essenceOf, matchesMediaRange } from '../../http/media-type.ts';
import { toFieldValue } from '../../http/message.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { toText } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { acceptsValue } from '../../schema/compile.ts';
import { declaredNames } from '../../schema/properties.ts';
import { type JsonSchema, mapSubschemas } from '../../schema/walk.ts';
import { sampleValue, shownValues } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';

/** Copies the members of an object that one of its representations contains. */
type Projection = (value: JsonObject) => JsonObject;

function isClosed(schema: JsonObject): boolean {
  const { additionalProperties, unevaluatedProperties, patternProperties } = schema;
  return (
    (additionalProperties === false || unevaluatedProperties === false) && patternProperties === undefined
  );
}

type OneWay = 'readOnly' | 'writeOnly';

/** Schemas that hide nothing, apart from the schemas they refer to: many schemas share definitions. */
const harmless: Readonly<Record<OneWay, WeakSet<JsonObject>>> = {
  readOnly: new WeakSet(),
  writeOnly: new WeakSet(),
};

/** Returns whether a schema, its definitions included, hides any member. */
function mayHide(schema: JsonSchema, keyword: OneWay): boolean {
  if (!isJsonObject(schema) || harmless[keyword].has(schema)) return false;
  let hides = schema[keyword] === true || isClosed(schema);
  mapSubschemas(schema, (child) => {
    hides ||= mayHide(child, keyword);
    return child;
  });
  if (!hides) harmless[keyword].add(schema);
  return hides;
}

/**
 * Prepares the removal, at any depth, of members that the other side must not see (`writeOnly` in a response,
 * `readOnly` in a request, OpenAPI 3.1 §4.8.24.3) and of members that a closed schema forbids. Returns undefined if
 * nothing can be removed. A part of the schema is analysed at its first value.
 */
export function hideProperties(schema: JsonSchema, keyword: OneWay): Projection | undefined {
  if (!isJsonObject(schema) || !mayHide(schema, keyword)) return undefined;
  const root = schema;
  const prepared = new Map<JsonObject, Prepared>();

  function prepare(part: JsonObject): Prepared {
    const merged = mergeSchema(root, part);
    const properties = isJsonObject(merged['properties']) ? merged['properties'] : {};
    const dropped = new Set(
      Object.entries(properties)
        .filter(([, property]) => isJsonObject(property) && mergeSchema(root, property)[keyword] === true)
        .map(([name]) => name),
    );
    const allowed = isClosed(merged) ? declaredNames({ $defs: root['$defs'] ?? {}, ...part }) : undefined;
    return { properties, items: merged['items'] ?? true, dropped, allowed };
  }

  function hide(part: JsonValue, value: JsonValue): JsonValue {
    if (!isJsonObject(part)) return value;
    if (isJsonObject(value)) return hideInside(part, value);
    const { items } = Array.isArray(value) ? find(part) : { items: true };
    return Array.isArray(value) && isJsonObject(items) ? value.map((item) => hide(items, item)) : value;
  }

  function find(part: JsonObject): Prepared {
    const found = prepared.get(part) ?? prepare(part);
    prepared.set(part, found);
    return found;
  }

  function hideInside(part: JsonObject, value: JsonObject): JsonObject {
    const { properties, dropped, allowed } = find(part);
    // A part without declarations removes nothing, and its value may have very many members.
    if (allowed === undefined && Object.keys(properties).length === 0) return value;
    const kept: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      if (!dropped.has(name) && (allowed === undefined || allowed.has(name))) {
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
        setOwn(kept, name, property === undefined ? member : hide(property, member));
      }
    }
    return kept;
  }

  return (value) => hideInside(root, value);
}

/** A part of a schema, merged with all that apply to the same value. */
interface Prepared {
  readonly properties: JsonObject;
  readonly items: JsonValue;
  /** The names of removed members. */
  readonly dropped: ReadonlySet<string>;
  /** The names of permitted members; undefined if all are. */
  readonly allowed: ReadonlySet<string> | undefined;
}

/**
 * Prepares the selection of the properties that a schema declares for an object; all if it declares none. Each call
 * returns a new object, without the members that hideProperties removes.
 */
export function createProjection(schema: JsonSchema, hidden: OneWay): Projection {
  const hide = hideProperties(schema, hidden);
  const declared = declaredNames(schema);
  if (declared === undefined) return (value) => hide?.({ ...value }) ?? { ...value };
  const names = [...declared];
  // Names that all objects inherit need a check for own members; for other names, any value is an own member.
  const pick = names.some((name) => name in Object.prototype) ? pickOwn : pickPlain;
  return hide === undefined ? (value) => pick(value, names) : (value) => hide(pick(value, names));
}

function pickPlain(source: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const member = source[name];
    if (member !== undefined) picked[name] = member;
  }
  return picked;
}

function pickOwn(source: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const member = Object.hasOwn(source, name) ? source[name] : undefined;
    if (member !== undefined) setOwn(picked, name, member);
  }
  return picked;
}

/** Adds header fields, with names and values alternating. They replace fields of the same name. */
export function replaceFields(headers: readonly string[], further: readonly string[]): readonly string[] {
  const names = further.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return [...withoutFields(headers, names), ...further];
}

/** Removes header fields by their lower case names; in the fields, names and values alternate. */
export function withoutFields(headers: readonly string[], names: readonly string[]): readonly string[] {
  return headers.filter((_, index) => !names.includes(headers[index - (index % 2)]?.toLowerCase() ?? ''));
}

/** A declared media type that the mock can return. */
export interface SentMedia {
  readonly media: MediaTypeContract;
  /** The value of Content-Type; a range in the document is narrowed to one type. */
  readonly contentType: string;
  /** Undefined for a media type without a codec. */
  readonly codec: Codec | undefined;
}

/** The subtypes in responses for a range, the usual one first. */
const usualSubtypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', ['png', 'jpeg', 'gif', 'svg+xml', 'webp']],
  ['audio', ['mpeg', 'wav', 'ogg']],
  ['video', ['mp4', 'webm', 'ogg']],
  ['font', ['woff2', 'woff', 'ttf', 'otf']],
  ['text', ['plain', 'html', 'csv']],
]);

/** Returns the concrete media types of a declared one: a response has no range (RFC 9110 §8.3). */
function concreteTypes({ range, codec }: MediaTypeContract): readonly string[] {
  if (!range.includes('*')) return [range];
  if (codec === jsonCodec || matchesMediaRange('application/json', range)) return ['application/json'];
  const type = range.split('/', 1)[0]?.trim().toLowerCase() ?? '';
  const subtypes = usualSubtypes.get(type);
  return subtypes?.map((subtype) => `${type}/${subtype}`) ?? ['application/octet-stream'];
}

/** Adds the charset of the content to a text type (RFC 6838 §4.2.1). An event stream has only one. */
function withCharset(contentType: string): string {
  return /^text\/(?!event-stream)[^;]*$/iu.test(contentType)
    ? `${contentType.trim()}; charset=utf-8`
    : contentType;
}

function toSentMedia(media: MediaTypeContract): readonly SentMedia[] {
  return concreteTypes(media).map((type) => {
    const codec = findCodec(essenceOf(type));
    return { media, contentType: codec === jsonCodec ? type : withCharset(type), codec };
  });
}

/** Lists the media types of a response that the mock can return, the usual one first: JSON if it is declared. */
export function listSentMedia(declared: readonly MediaTypeContract[]): readonly SentMedia[] {
  const rank = ({ codec }: SentMedia): number => Number(codec === jsonCodec);
  return declared.flatMap(toSentMedia).toSorted((left, right) => rank(right) - rank(left));
}

/** Returns the media type that the mock uses for a response: JSON if it is declared, else the first. */
export function chooseSentMedia(declared: readonly MediaTypeContract[]): SentMedia | undefined {
  return listSentMedia(declared)[0];
}

/** Returns whether a media type can represent every value, like JSON and XML. */
export function writesAnyValue({ codec }: SentMedia): boolean {
  return codec?.holds === 'value';
}

/**
 * Writes a value in a media type. If it cannot represent every value, texts are unchanged and other values are JSON.
 *
 * @param exact - whether the value contains an exact number, if known
 */
export function writeContent(
  { codec, media }: SentMedia,
  value: JsonValue,
  exact?: boolean,
): string | Uint8Array {
  if (codec === jsonCodec && exact === false) return JSON.stringify(value);
  const isText = codec?.serialize === undefined || codec.holds !== 'value';
  return isText ? toText(value) : codec.serialize(value, media);
}

/** Returns the self-contained schema of a member, by the path of names; `true` if it is not declared. */
export function memberSchema(schema: JsonSchema, path: readonly string[]): JsonSchema {
  const root = isJsonObject(schema) ? schema : {};
  let part: JsonValue = schema;
  for (const name of path) {
    const { properties }: JsonObject = isJsonObject(part) ? mergeSchema(root, part) : {};
    part = isJsonObject(properties) && Object.hasOwn(properties, name) ? (properties[name] ?? true) : true;
  }
  if (!isJsonObject(part)) return part !== false;
  return path.length === 0 || root['$defs'] === undefined ? part : { ...part, $defs: root['$defs'] };
}

/** Returns the text of a value in a header field (OpenAPI 3.1 §4.8.21: style simple). */
function toFieldText(value: JsonValue): string {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return String(value);
  return Array.isArray(value)
    ? value.map(toFieldText).join(',')
    : Object.entries(value).flat().map(String).join(',');
}

/**
 * Returns the document's text for a field: an example that its schema accepts, a `const`, a single `enum` or a default.
 * For a required field without one, returns a generated text; for a date field, the time at which the response is
 * prepared (RFC 9110 §6.6.1).
 */
function sampleField({ name, required, schema, examples }: DeclaredHeader): string | undefined {
  const isDate = name.toLowerCase() === 'date';
  if (isDate) return required ? new Date().toUTCString() : undefined;
  const whole = schema?.schema ?? true;
  const candidates = [...examples, ...shownValues(mergeSchema(isJsonObject(whole) ? whole : {}, whole))];
  const shown = candidates.find((value) => acceptsValue(schema, value));
  const value = shown ?? (required ? (sampleValue(whole) ?? 'text') : undefined);
  return value === undefined ? undefined : toFieldValue(toFieldText(value));
}

/**
 * Returns, alternating, names and values of the required fields and of those with a value in the document. Excludes the
 * given lower case names and Content-Encoding: the content has no coding (RFC 9110 §8.4).
 */
export function sampleHeaders(
  declared: readonly DeclaredHeader[],
  except: readonly string[] = [],
): readonly string[] {
  const left = new Set([...except, 'content-encoding']);
  return declared.flatMap((header) => {
    const text = left.has(header.name.toLowerCase()) ? undefined : sampleField(header);
    return text === undefined ? [] : [header.name, text];
  });
}
