import type { DeclaredContent } from '../http/codecs/codec.ts';
import { essenceOf, isJsonMediaType, matchesMediaRange } from '../http/media-type.ts';
import type { JsonObject } from '../json/value.ts';
import { isSchema } from '../schema/coerce.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import { type JsonSchema, schemasInPlace } from '../schema/walk.ts';

/** Media types used for the media ranges that include them. The first fits every range. */
const usualTypes = ['application/octet-stream', 'image/png', 'text/plain', 'audio/mpeg', 'video/mp4'];

/** Returns the first of a list of media types, or a usual media type if the first is a range. */
export function firstMediaType(list: string): string {
  const first = list.split(',', 1)[0]?.trim() ?? '';
  return first.includes('*') ? (usualTypes.find((type) => matchesMediaRange(type, first)) ?? '') : first;
}

const known = new WeakMap<DeclaredContent, Map<string, string>>();

/**
 * Returns the media types of the files in a multipart form, by property. A property holds one file or a list of files
 * (OpenAPI 3.0.3 and 3.1.0, "Special Considerations for multipart Content").
 */
export function formFiles(media: DeclaredContent): ReadonlyMap<string, string> {
  const files = known.get(media) ?? new Map<string, string>();
  if (known.has(media) || essenceOf(media.range) !== 'multipart/form-data') return files;
  const schema = media.schema?.schema;
  for (const name of schemaProperties(schema).keys()) {
    const type = fileType(schemaAt(schema, [name]) ?? true, media.encoding?.get(name)?.contentType);
    if (type !== undefined) files.set(name, type);
  }
  known.set(media, files);
  return files;
}

function fileType(schema: JsonSchema, declared: string | undefined): string | undefined {
  const own = schemasInPlace(schema, schema);
  const items = own.flatMap((part) => (isSchema(part['items']) ? schemasInPlace(schema, part['items']) : []));
  const keywords: JsonObject = Object.fromEntries([...own, ...items].flatMap((part) => Object.entries(part)));
  const { contentEncoding, contentMediaType, format, type = 'string' } = keywords;
  // An encoded text is sent unchanged.
  if (contentEncoding !== undefined || format === 'byte') return undefined;
  const said = declared ?? (typeof contentMediaType === 'string' ? contentMediaType : undefined);
  const mediaType = firstMediaType(said ?? 'application/octet-stream');
  const isText = isJsonMediaType(essenceOf(mediaType)) || mediaType.startsWith('text/');
  const isOther = said === undefined || isText || ![type].flat().includes('string');
  return format === 'binary' || !isOther ? mediaType : undefined;
}
