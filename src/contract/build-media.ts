import type { OpenApiDocument } from '../document/read-document.ts';
import { isJsonMediaType } from '../http/is-json-media-type.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { compileSchemaAt, type Direction } from './compile-schema-at.ts';
import type { MediaTypeContract } from './media-type-contract.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';

function readExamples(root: JsonObject, media: JsonObject, pointer: JsonPointer): JsonValue[] {
  const single = media['example'];
  const several = isJsonObject(media['examples']) ? Object.keys(media['examples']) : [];
  const values = several.map(
    (name) => resolveObject(root, appendPointer(pointer, 'examples', name))?.value['value'],
  );
  return [single, ...values].filter((value) => value !== undefined);
}

/**
 * The media types that a request body or a response declares.
 *
 * @param pointer - the place of the object that holds `content`
 */
export function buildMedia(
  document: OpenApiDocument,
  pointer: JsonPointer,
  direction: Direction,
): readonly MediaTypeContract[] {
  const content = resolveObject(document.root, appendPointer(pointer, 'content'));
  if (content === undefined) {
    return [];
  }
  return Object.keys(content.value).map((range): MediaTypeContract => {
    const place = appendPointer(content.pointer, range);
    const media = resolveObject(document.root, place)?.value ?? {};
    const essence = range.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    return {
      range,
      isJson: isJsonMediaType(essence),
      schema:
        media['schema'] === undefined
          ? undefined
          : compileSchemaAt(document, appendPointer(place, 'schema'), direction),
      examples: readExamples(document.root, media, place),
      pointer: place,
    };
  });
}
