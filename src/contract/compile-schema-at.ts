import { fromOpenApiSchema } from '../schema/openapi-schema.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts';
import { selfContainedSchema } from '../document/self-contained-schema.ts';
import type { OpenApiDocument } from '../document/read-document.ts';
import type { JsonPointer } from '../json/json-pointer.ts';

/** Which way a value travels: a request may leave read-only properties out, a response write-only ones. */
export type Direction = 'request' | 'response';

/**
 * Compiles the schema at a place of a document.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where it cannot be compiled
 */
export function compileSchemaAt(
  document: OpenApiDocument,
  pointer: JsonPointer,
  direction: Direction,
): CompiledSchema {
  const schema = selfContainedSchema({ root: document.root, pointer });
  return compileSchema({
    schema: fromOpenApiSchema({ schema, version: document.version, direction }),
    pointer,
  });
}
