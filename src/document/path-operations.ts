import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { ResolvedObject } from './references.ts';

/** The fields of a Path Item Object that declare operations (OpenAPI 3.2 §4.9); `query` is new in 3.2. */
const methodFields = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An operation of a path item, and its place. */
export interface PathOperation {
  /** As it is sent: in upper case, or as written in `additionalOperations`. */
  readonly method: string;
  readonly pointer: JsonPointer;
  readonly value: JsonObject;
}

/** Lists the operations of a path item, those of `additionalOperations` last (OpenAPI 3.2 §4.9). */
export function listPathOperations({ value, pointer }: ResolvedObject): readonly PathOperation[] {
  const { additionalOperations } = value;
  const fields = methodFields.map((field) => [field.toUpperCase(), value[field], [field]] as const);
  const additional = Object.entries(isJsonObject(additionalOperations) ? additionalOperations : {}).map(
    ([method, operation]) => [method, operation, ['additionalOperations', method]] as const,
  );
  return [...fields, ...additional].flatMap(([method, operation, tokens]) =>
    isJsonObject(operation) ? [{ method, pointer: appendPointer(pointer, ...tokens), value: operation }] : [],
  );
}
