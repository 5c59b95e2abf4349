import { isJsonObject } from '../../json/value.ts';
import { schemasInPlace } from '../../schema/walk.ts';
import { matchesMediaRange } from '../media-type.ts';
import type { Codec, DeclaredContent } from './codec.ts';
import { formCodec } from './form.ts';
import { listCodecs } from './lists.ts';
import { binaryCodec, jsonCodec, textCodec } from './plain.ts';
import { xmlCodec } from './xml.ts';

export { jsonCodec } from './plain.ts';

/** Every codec. The first that matches a media type is used. */
const codecs: readonly Codec[] = [jsonCodec, formCodec, textCodec, binaryCodec, xmlCodec, ...listCodecs];

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
  const whole = schema?.schema;
  const isBytes =
    codec === jsonCodec &&
    isJsonObject(whole) &&
    schemasInPlace(whole, whole).some(({ format }) => format === 'binary');
  return isBytes || !isReadable({ codec }) ? undefined : codec;
}
