import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import { type JsonSchema, schemasInPlace } from '../../schema/walk.ts';
import { matchesMediaRange } from '../media-type.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';
import { formCodec } from './form.ts';
import { listCodecs } from './lists.ts';
import { binaryCodec, jsonCodec, textCodec } from './plain.ts';
import { xmlCodec } from './xml.ts';

export { jsonCodec } from './plain.ts';

/** Every codec. The first that matches a media type is used. */
const codecs: Codec[] = [jsonCodec, formCodec, textCodec, binaryCodec, xmlCodec, ...listCodecs];

/** A codec that a user defines: it reads and writes the content of media types that Cloche does not support. */
export interface UserCodec extends Pick<Codec, 'matches'> {
  /** Parses content. Without it, content of the media type is not judged, and runs send none. */
  readonly parse?: (content: Uint8Array, contentType: string) => ParsedContent;
  /** Writes a value. Without it, the mock writes the text of the value. */
  readonly serialize?: (value: JsonValue) => string | Uint8Array;
  /** Whether a parsed text is a number, boolean or null if the schema expects one. @defaultValue false */
  readonly coerces?: boolean;
}

const registered = new WeakMap<UserCodec, Codec>();

/**
 * Registers a codec for the whole process, before the others. Contracts that were loaded before do not use it.
 *
 * @returns whether it is registered: false if it matches JSON
 */
export function registerCodec(codec: UserCodec): boolean {
  if (codec.matches('application/json')) return false;
  if (registered.has(codec)) return true;
  const { parse, serialize, coerces = false } = codec;
  const read: Codec['parse'] = (content, { schema }, contentType) => {
    const parsed = parse?.(content, contentType);
    return coerces && parsed?.kind === 'value' && schema !== undefined
      ? { kind: 'value', value: coerceTexts(parsed.value, textPlanOf(schema.schema)) }
      : parsed;
  };
  const whole: Codec = {
    matches: (essence) => codec.matches(essence),
    holds: 'value',
    ...(parse && { parse: read }),
    ...(serialize && { serialize: (value) => serialize(value) }),
  };
  registered.set(codec, whole);
  codecs.unshift(whole);
  return true;
}

/** Converts the texts of a parsed value to the types that the schema expects. */
function coerceTexts(value: JsonValue, plan: TextPlan): JsonValue {
  if (typeof value === 'string') return plan.coerce(value);
  if (Array.isArray(value)) return value.map((item) => coerceTexts(item, plan.items()));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, coerceTexts(member, plan.member(name))]),
  );
}

/**
 * Loads the parser of XML if media types need it. A document without them does not load its package.
 *
 * @returns whether it was loaded now: contracts that were built before do not use it
 */
export async function loadParsers(media: readonly Media[]): Promise<boolean> {
  const index = codecs.indexOf(xmlCodec);
  if (index === -1 || !media.some(({ codec }) => codec === xmlCodec)) return false;
  const { readingXmlCodec } = await import('./read-xml.ts');
  codecs[codecs.indexOf(xmlCodec)] = readingXmlCodec;
  return true;
}

/** Returns the codec of a media type, in lower case, without parameters. */
export function findCodec(essence: string): Codec | undefined {
  return codecs.find(({ matches }) => matches(essence));
}

/** Matches streams without a codec: parts that replace each other, and other spellings of JSON text sequences. */
const otherStreams =
  /^(?:multipart\/x-mixed-replace|(?:application|text)\/(?:x-)?(?:json-seq|json-stream|stream\+json|\S+\+json-seq))$/u;

/** Returns whether a media type, in lower case, without parameters, is a stream. */
export function isStreamMediaType(essence: string): boolean {
  return otherStreams.test(essence) || findCodec(essence)?.frame !== undefined;
}

interface Media {
  readonly codec: Codec | undefined;
}

/** Returns whether content is parsed as a value with typed parts, which its schema fully describes. */
export function isStructured({ codec }: Media): boolean {
  return codec?.parse !== undefined && codec.holds === 'value';
}

/** Returns whether content is parsed as a value with parts: it is structured, or a form. */
export function isReadable({ codec }: Media): boolean {
  return codec?.parse !== undefined && codec.holds !== 'text';
}

/** Finds the media type with structured content, JSON if it is declared. */
export function findStructured<Declared extends Media>(
  media: readonly Declared[] = [],
): Declared | undefined {
  return media.find(({ codec }) => codec === jsonCodec) ?? media.find(isStructured);
}

/** Finds the media type of a request body whose parts can be read: structured content, else a form. */
export function findReadable<Declared extends Media>(media: readonly Declared[] = []): Declared | undefined {
  return findStructured(media) ?? media.find(isReadable);
}

/**
 * Finds the media type of the structured content of a response. A media type with a schema is preferred to one with
 * examples only; the last choice is a range that includes JSON.
 */
export function findResponseMedia<Declared extends Media & DeclaredContent>(
  media: readonly Declared[] = [],
): Declared | undefined {
  return (
    findStructured(media.filter(({ schema }) => schema !== undefined)) ??
    findStructured(media) ??
    media.find(({ range }) => range.includes('*') && matchesMediaRange('application/json', range))
  );
}

/**
 * Returns the codec for content under a declared media type, by the actual media type of the content, in lower case,
 * without parameters. Returns undefined for content without parts, and for JSON that is declared as bytes (`format:
 * binary`, OpenAPI 3.0 §4.7.14.2).
 */
export function findParser({ schema }: DeclaredContent, essence: string): Codec | undefined {
  const codec = findCodec(essence);
  return (codec === jsonCodec && isBinary(schema?.schema)) || !isReadable({ codec }) ? undefined : codec;
}

/** Cached, because each message needs it. */
const knownBinary = new WeakMap<JsonObject, boolean>();

function isBinary(schema: JsonSchema | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  let known = knownBinary.get(schema);
  if (known === undefined) {
    known = schemasInPlace(schema, schema).some(({ format }) => format === 'binary');
    knownBinary.set(schema, known);
  }
  return known;
}
