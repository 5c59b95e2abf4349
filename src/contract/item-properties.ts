import { isJsonObject, type JsonObject } from '../json/value.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import type { JsonSchema } from '../schema/walk.ts';
import type { Operation } from './contract.ts';
import { listedIn } from './list-parameters.ts';
import { jsonSchemaOf } from './request-facts.ts';
import { findSuccessResponse } from './responses.ts';

/** The member of a resource object that holds the properties of the item (JSON:API 1.1 §7.2.2). */
const attributes = 'attributes';

/** The members that a resource object may have (JSON:API 1.1 §7.2). */
const members = new Set(['type', 'id', 'lid', attributes, 'relationships', 'links', 'meta']);

const flatSchemas = new WeakMap<JsonObject, JsonObject>();
const isFlat = new WeakSet<JsonObject>();

/**
 * Returns the schema of an item with the properties of `attributes` beside its id, if it describes a resource object
 * (JSON:API 1.1 §7.2). Returns any other schema unchanged.
 */
export function flattenSchema(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (!isJsonObject(schema)) return schema;
  const known = flatSchemas.get(schema) ?? makeFlat(schema);
  flatSchemas.set(schema, known);
  return known;
}

function makeFlat(schema: JsonObject): JsonObject {
  const outer = schemaProperties(schema);
  const inner = schemaProperties(schemaAt(schema, [attributes]));
  const held = outer.get(attributes);
  const isResource = [...outer.keys()].every((name) => members.has(name));
  const isAmbiguous = [...inner.keys()].some((name) => outer.has(name));
  if (held === undefined || held.readOnly || held.writeOnly) return schema;
  if (inner.size === 0 || !isResource || isAmbiguous) return schema;
  const all = [...outer, ...inner].filter(([name]) => name !== attributes);
  const required = all.filter(([name, own]) => own.required && (outer.has(name) || held.required));
  const flat = {
    type: 'object',
    properties: Object.fromEntries(all.map(([name, own]) => [name, own.schema])),
    required: required.map(([name]) => name),
    ...(schema['$defs'] === undefined ? {} : { $defs: schema['$defs'] }),
  };
  isFlat.add(flat);
  return flat;
}

/** Returns an item in the form of its schema, which {@link flattenSchema} returned. */
export function flattenItem(item: JsonObject, schema: JsonSchema | undefined): JsonObject {
  const { [attributes]: held, ...outer } = item;
  return isJsonObject(schema) && isFlat.has(schema) && isJsonObject(held) ? { ...outer, ...held } : item;
}

/** Returns the path to the object with the properties of an item that stands at a path of a body. */
export function propertiesPath(content: JsonSchema | undefined, path: readonly string[]): readonly string[] {
  const schema = flattenSchema(schemaAt(content, path));
  return isJsonObject(schema) && isFlat.has(schema) ? [...path, attributes] : path;
}

/** Returns the path to the object with the properties of an item in the body of a request. */
export function requestPath({ kind, requestBody }: Operation): readonly string[] {
  return 'request' in kind ? propertiesPath(jsonSchemaOf(requestBody?.media), kind.request) : [];
}

/** Returns the schema of an item in the response to a read, in the form of {@link flattenSchema}. */
function readSchema({ kind, ...read }: Operation): JsonSchema | undefined {
  if (kind.kind !== 'read' || kind.response === undefined) return undefined;
  return flattenSchema(schemaAt(jsonSchemaOf(findSuccessResponse({ kind, ...read })?.media), kind.response));
}

/**
 * Returns the schema of the items of a list, in the form of {@link flattenSchema}. If the list shows ids alone, it is that
 * of an item in the response to the read.
 *
 * @param content - the schema of the whole response
 * @param operations - among which the read is, if there is one
 */
export function listItemSchema(
  list: Operation,
  content: JsonSchema | undefined,
  operations: readonly Operation[],
): JsonSchema | undefined {
  const { kind } = list;
  if (kind.kind !== 'list' || kind.list.kind !== 'ids') return flattenSchema(listedIn(list, content));
  const read = operations.find(
    ({ kind: own }) => own.kind === 'read' && own.resource.collection === kind.resource.collection,
  );
  return read && readSchema(read);
}
