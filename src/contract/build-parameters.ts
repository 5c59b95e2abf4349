import type { OpenApiDocument } from '../document/read-document.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import { compileSchemaAt } from './compile-schema-at.ts';
import type { Parameter } from './parameter.ts';
import { createParameterReader } from './parameters/create-parameter-reader.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { resolveObject } from './resolve-object.ts';

const defaultStyle = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

function isPlace(place: unknown): place is keyof typeof defaultStyle {
  return typeof place === 'string' && Object.hasOwn(defaultStyle, place);
}

/** Header parameters of these names are ignored (OpenAPI 3.1 §4.8.12.1). */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

function buildParameter(document: OpenApiDocument, place: JsonPointer): Parameter | undefined {
  const found = resolveObject(document.root, place);
  if (found === undefined) {
    return undefined;
  }
  const { value, pointer } = found;
  const { name, in: location } = value;
  if (typeof name !== 'string' || !isPlace(location)) {
    return undefined;
  }
  if (location === 'header' && ignoredHeaders.has(name.toLowerCase())) {
    return undefined;
  }
  const style = typeof value['style'] === 'string' ? value['style'] : defaultStyle[location];
  const mediaType = isJsonObject(value['content']) ? Object.keys(value['content'])[0] : undefined;
  const schemaPlace =
    mediaType === undefined
      ? appendPointer(pointer, 'schema')
      : appendPointer(pointer, 'content', mediaType, 'schema');
  const hasSchema = value['schema'] !== undefined || resolveObject(document.root, schemaPlace) !== undefined;
  const schema = hasSchema ? compileSchemaAt(document, schemaPlace, 'request') : undefined;
  const explode = typeof value['explode'] === 'boolean' ? value['explode'] : style === 'form';
  const shape = { name, in: location, style, explode, mediaType };
  return {
    ...shape,
    required: location === 'path' || value['required'] === true,
    allowsEmpty: location === 'query' && value['allowEmptyValue'] === true,
    schema,
    read: createParameterReader({ ...shape, schema: schema?.schema ?? true }),
    pointer,
  };
}

/**
 * The parameters of an operation: its own, and those of its path item that it does not override
 * (OpenAPI 3.1 §4.8.9).
 */
export function buildParameters(
  document: OpenApiDocument,
  pathItem: JsonPointer,
  operation: JsonPointer,
): readonly Parameter[] {
  const byPlace = new Map<string, Parameter>();
  for (const holder of [pathItem, operation]) {
    const list = resolveObject(document.root, holder)?.value['parameters'];
    const count = Array.isArray(list) ? list.length : 0;
    for (let index = 0; index < count; index += 1) {
      const parameter = buildParameter(document, appendPointer(holder, 'parameters', index));
      if (parameter !== undefined) {
        byPlace.set(`${parameter.in} ${parameter.name}`, parameter);
      }
    }
  }
  return [...byPlace.values()];
}
