import { findStructured, isStructured } from '../http/codecs/registry.ts';
import { isJsonObject } from '../json/value.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import type { JsonSchema } from '../schema/walk.ts';
import type { InvalidParameter } from './check-parameters.ts';
import type { MediaTypeContract, Operation } from './contract.ts';
import { findLimitMaximum } from './list-parameters.ts';
import type { Parameter } from './read-parameters.ts';
import { keptRole } from './resources.ts';

/** Returns the schema of JSON bodies. */
export function jsonSchemaOf(media: readonly MediaTypeContract[] | undefined): JsonSchema | undefined {
  return findStructured(media)?.schema?.schema;
}

/** Returns the JSON media types of a request body whose schema declares properties. */
export function jsonBodies({ requestBody }: Operation): readonly MediaTypeContract[] {
  return (requestBody?.media ?? []).filter(
    (media) => isStructured(media) && schemaProperties(media.schema?.schema).size > 0,
  );
}

/** Returns the `application/json` body of an operation. Patch formats are ignored. */
export function plainJsonBody({ requestBody }: Operation): MediaTypeContract | undefined {
  return requestBody?.media.find(
    ({ range, schema }) => /^application\/json\b/iu.test(range) && schemaProperties(schema?.schema).size > 0,
  );
}

/** Returns the read-only properties of a body that holds a whole resource (OpenAPI 3.1 §4.8.24.3). */
export function listReadOnly(operation: Operation): readonly string[] {
  return [...readOnlySchemas(operation).keys()];
}

/** Returns the self-contained schemas of the properties of {@link listReadOnly}, by name. */
export function readOnlySchemas({ requestBody, kind }: Operation): ReadonlyMap<string, JsonSchema> {
  const schema = jsonSchemaOf(requestBody?.media);
  if (schema === undefined || !('request' in kind)) return new Map();
  const { $defs = {} } = isJsonObject(schema) ? schema : {};
  return new Map(
    [...schemaProperties(schemaAt(schema, kind.request))].flatMap(([name, { readOnly, schema: own }]) =>
      readOnly ? [[name, isJsonObject(own) ? { $defs, ...own } : own]] : [],
    ),
  );
}

/** Returns the property of a create's body that holds the id, if the client sends ids without an envelope. */
export function clientIdProperty(operation: Operation | undefined): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind !== 'client' || kind.request.length > 0) return undefined;
  return kind.key.property;
}

/** Returns the parameter of an operation for If-Match (RFC 9110 §13.1.1). */
export function findIfMatch({ parameters }: Operation): Parameter | undefined {
  return parameters.find(({ name, in: place }) => place === 'header' && name.toLowerCase() === 'if-match');
}

/** Returns whether a parameter is invalid because the limit of a list is above its maximum. */
export function isLimitAboveMaximum(
  { pointer, keyword }: InvalidParameter,
  operation: Operation | undefined,
): boolean {
  const limit = operation && keptRole(operation)?.kind === 'list' ? findLimitMaximum(operation) : undefined;
  return keyword === 'maximum' && limit?.parameter.pointer === pointer;
}
