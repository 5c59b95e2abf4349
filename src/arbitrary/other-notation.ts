import type { MediaTypeContract } from '../contract/contract.ts';
import { firstMediaType, formFiles } from '../contract/form-files.ts';
import { joinBytes, textBytes } from '../http/bytes.ts';
import type { Codec, DeclaredContent, PropertyEncoding } from '../http/codecs/codec.ts';
import { formCodec } from '../http/codecs/form.ts';
import { jsonCodec } from '../http/codecs/registry.ts';
import { essenceOf, isJsonMediaType } from '../http/media-type.ts';
import { decodeQueryText } from '../http/query.ts';
import { sampleFile } from '../http/sample-files.ts';
import { stringifyJson, toText } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { judgeValue } from './from-schema.ts';
import { serializeQuery } from './serialize-parameter.ts';

/** The value of the parameter `boundary`, the same in each run. */
export const multipartBoundary = 'cloche-boundary';

/** Writes values in a notation other than JSON. */
export interface NotationWriter {
  /** The value of Content-Type. */
  readonly contentType: string;
  readonly write: (value: JsonValue) => Uint8Array;
  /** Returns the value that a service can read back; undefined if it cannot be read. */
  readonly readBack: (value: JsonValue) => JsonValue | undefined;
  /** Returns whether content cannot be read at all. */
  readonly isMalformed: (content: Uint8Array) => boolean;
  /** Adapts a plain value to the notation: real files, and text if no schema is declared. */
  readonly complete: (value: JsonValue) => JsonValue;
}

const encoder = new TextEncoder();

const isMultipart = ({ range }: DeclaredContent): boolean => essenceOf(range) === 'multipart/form-data';

/** Returns the codec for bodies of a run; undefined for JSON, and for a media type that it cannot parse again. */
export function otherCodec({ codec }: MediaTypeContract): Codec | undefined {
  return codec === jsonCodec || codec?.parse === undefined ? undefined : codec;
}

/** Creates the writer of a media type; undefined for JSON, and for a media type that a run does not write. */
export function createNotationWriter(media: MediaTypeContract): NotationWriter | undefined {
  const codec = otherCodec(media);
  const serialize = codec === formCodec ? writeForm : codec?.serialize;
  if (codec?.parse === undefined || serialize === undefined) return undefined;
  const { parse, holds } = codec;
  const contentType = isMultipart(media) ? `multipart/form-data; boundary=${multipartBoundary}` : media.range;
  // The schema allows no value that the codec supports.
  if (parse(new Uint8Array(), media, contentType) === undefined) return undefined;
  const write = (value: JsonValue): Uint8Array => {
    const content = serialize(value, media);
    return typeof content === 'string' ? encoder.encode(content) : content;
  };
  return {
    contentType,
    write,
    readBack(value) {
      const parsed = parse(write(value), media, contentType);
      return parsed?.kind === 'value' ? parsed.value : undefined;
    },
    isMalformed: (content) => parse(content, media, contentType)?.kind === 'malformed',
    complete(value) {
      if (media.schema === undefined) return { value, members: { text: 'text' }, text: 'text' }[holds];
      const files = formFiles(media);
      if (!isJsonObject(value) || files.size === 0) return value;
      const filled = fillFiles(value, files);
      return judgeValue(media.schema, filled) === 'valid' ? filled : value;
    },
  };
}

/** Writes a form. It is not part of the codec, because the mock writes no forms and browsers load the mock. */
function writeForm(value: JsonValue, media: DeclaredContent): string | Uint8Array {
  if (!isJsonObject(value)) return stringifyJson(value);
  if (isMultipart(media)) return writeParts(value, media);
  const { encoding } = media;
  const pairs = Object.entries(value).flatMap(([name, one]) => listPairs(name, one, encoding?.get(name)));
  // In a printed request, a shell variable replaces `{id}`.
  return pairs.join('&').replaceAll('%7B', '{').replaceAll('%7D', '}');
}

function fillFiles(value: JsonObject, files: ReadonlyMap<string, string>): JsonObject {
  const members = Object.entries(value).map(([name, member]) => {
    const sample = sampleFile(files.get(name) ?? '') ?? member;
    return [name, Array.isArray(member) && sample !== member ? member.map(() => sample) : sample] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Writes a property by its Encoding Object (OpenAPI 3.1 §4.8.15): percent-encoded pairs `name=text`. A list has a pair
 * per item. An object is JSON unless a style is declared. Null, an empty list and a pair without a name are left out.
 */
function listPairs(name: string, value: JsonValue, encoding: PropertyEncoding = {}): readonly string[] {
  const { style = 'form', explode = style === 'form' || style === 'deepObject', contentType } = encoding;
  const isStyled = encoding.style !== undefined || encoding.explode !== undefined;
  const isJson = contentType !== undefined && isJsonMediaType(essenceOf(firstMediaType(contentType)));
  const isWhole = Array.isArray(value) ? isJson && !isStyled : !isStyled || contentType !== undefined;
  const kept = isWhole || !Array.isArray(value) ? value : value.filter((item) => item !== null);
  if (kept === null || name === '' || (!isWhole && Array.isArray(kept) && kept.length === 0)) return [];
  const text = serializeQuery({ name, style, explode }, isWhole ? toText(kept) : kept);
  return text === '' ? [] : text.split('&');
}

/** Returns the media type of the parts of a property; objects are JSON (OpenAPI 3.1 §4.8.15, `contentType`). */
function partType(value: JsonValue, { contentType, style, explode }: PropertyEncoding): string | undefined {
  if (contentType !== undefined) return firstMediaType(contentType);
  const isObject = isJsonObject(value) || (Array.isArray(value) && value.some(isJsonObject));
  return isObject && style === undefined && explode === undefined ? 'application/json' : undefined;
}

/** Writes `multipart/form-data` (RFC 7578 §4). */
function writeParts(value: JsonObject, media: DeclaredContent): Uint8Array {
  const parts = Object.entries(value).flatMap(([property, member]) => {
    const encoding = media.encoding?.get(property) ?? {};
    const file = formFiles(media).get(property);
    const type = file ?? partType(member, encoding);
    return listPairs(property, member, encoding).flatMap((pair) => {
      const [name = '', text = ''] = pair.split('=', 2).map(decodeQueryText);
      // Browsers escape quotes and line ends like this (RFC 7578 §4.2).
      const escaped = name.replaceAll(/["\r\n]/gu, encodeURIComponent);
      const ofFile =
        file === undefined
          ? ''
          : `; filename="file.${/\/([a-z\d]{2,4})$/u.exec(essenceOf(file))?.[1] ?? 'bin'}"`;
      const label = type === undefined ? '' : `\r\nContent-Type: ${type}`;
      const head = `--${multipartBoundary}\r\nContent-Disposition: form-data; name="${escaped}"${ofFile}${label}\r\n\r\n`;
      // The characters of a binary file are its bytes.
      const isBytes = file !== undefined && !file.startsWith('text/');
      return [encoder.encode(head), isBytes ? textBytes(text) : encoder.encode(text), textBytes('\r\n')];
    });
  });
  return joinBytes([...parts, encoder.encode(`--${multipartBoundary}--\r\n`)]);
}
