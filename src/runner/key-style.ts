import { isJsonObject } from '../json/is-json-object.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import { schemaTypes } from '../contract/schema-types.ts';
import type { Operation } from '../contract/operation.ts';
import type { KeyStyle } from './key-allocator.ts';

const known = new WeakMap<Operation, KeyStyle>();

/** The kind of text that the key of a create is, as the schema of its body says; found out once for each operation. */
export function keyStyle(operation: Operation | undefined): KeyStyle {
  if (operation === undefined) {
    return 'number';
  }
  const style = known.get(operation) ?? findStyle(operation);
  known.set(operation, style);
  return style;
}

function findStyle(operation: Operation): KeyStyle {
  if (operation.kind.kind !== 'create' || operation.kind.key.kind !== 'client') {
    return 'number';
  }
  const body = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  const schema = schemaProperties(body).get(operation.kind.key.property)?.schema ?? true;
  const types = schemaTypes(schema);
  if (types.has('integer') || types.has('number') || types.size === 0) {
    return 'number';
  }
  return isJsonObject(schema) && schema['format'] === 'uuid' ? 'uuid' : 'text';
}
