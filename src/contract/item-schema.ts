import type { OpenApiDocument } from '../document/document.ts';
import { resolveObject } from '../document/references.ts';
import type { Codec, DeclaredContent } from '../http/codecs/codec.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { type JsonSchema, mapSubschemas, schemaTypes } from '../schema/walk.ts';
import { compileSchemaAt, type Direction } from './document-schemas.ts';

/**
 * Describes the items of a sequential media type by the schema of their list: by `itemSchema` (OpenAPI 3.2 §4.14.2), or in
 * lines of JSON by a schema of one item, as documents before 3.2 use it. Returns undefined if `schema` is that of the list,
 * or if there is none.
 */
export function describeSequence(
  {
    document,
    media,
    direction,
    codec,
  }: {
    readonly document: OpenApiDocument;
    readonly media: JsonPointer;
    readonly direction: Direction;
    readonly codec: Codec;
  },
  schema: CompiledSchema | undefined,
): Pick<DeclaredContent, 'schema' | 'isSequence'> | undefined {
  const isDeclared = resolveObject(document.root, media)?.value['itemSchema'] !== undefined;
  const own = isDeclared
    ? compileSchemaAt(document, appendPointer(media, 'itemSchema'), direction)
    : undefined;
  if (own !== undefined) return { schema: toList(own), isSequence: true };
  if (schema === undefined || codec.parse === undefined) return undefined;
  const types = schemaTypes(schema.schema);
  const isItem = types.size > 0 && !types.has('array') && !types.has('string');
  return isItem ? { schema: toList(schema), isSequence: true } : undefined;
}

const lists = new WeakMap<CompiledSchema, CompiledSchema>();

/** Returns the schema of the list of items; the same one for the same schema. */
function toList(item: CompiledSchema): CompiledSchema {
  const known = lists.get(item) ?? makeList(item);
  lists.set(item, known);
  return known;
}

function makeList(item: CompiledSchema): CompiledSchema {
  const opened = openContent(item.schema);
  const { $defs, ...items } = isJsonObject(opened) ? opened : {};
  const schema: JsonObject = {
    type: 'array',
    items: isJsonObject(opened) ? items : opened,
    ...($defs !== undefined && { $defs }),
  };
  const placeOf = (place: JsonPointer): JsonPointer => {
    const inner = place.startsWith('/items') ? place.slice('/items'.length) : place;
    return item.placeOf(
      place.startsWith('/items') || place.startsWith('/$defs') ? closeContent(item.schema, inner) : '',
    );
  };
  return compileSchema({ schema, pointer: item.pointer, placeOf });
}

/** Returns the schema of the JSON in a text (JSON Schema 2020-12 validation §8.4, §8.5). */
function contentOf({ contentMediaType: type, contentSchema }: JsonObject): JsonObject | undefined {
  return typeof type === 'string' && isJsonMediaType(type) && isJsonObject(contentSchema)
    ? contentSchema
    : undefined;
}

/** Replaces each schema of a text that is JSON by the schema of its value: the codec parses the text. */
function openContent(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  const content = contentOf(schema);
  return content === undefined ? mapSubschemas(schema, openContent) : openContent(content);
}

/** Returns the place in a schema of a place in the opened one. */
function closeContent(schema: JsonSchema, place: JsonPointer): JsonPointer {
  let node: unknown = schema;
  let closed = '';
  const enter = (): void => {
    // `as`: only read, and only if it is an object.
    const content = typeof node === 'object' && node !== null ? contentOf(node as JsonObject) : undefined;
    if (content === undefined) return;
    closed = appendPointer(closed, 'contentSchema');
    node = content;
  };
  enter();
  for (const token of pointerTokens(place)) {
    // `as`: as above.
    node = typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[token] : undefined;
    closed = appendPointer(closed, token);
    enter();
  }
  return closed;
}
