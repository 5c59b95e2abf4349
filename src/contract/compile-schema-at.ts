import { fromOpenApiSchema } from '../schema/openapi-schema.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts';
import { rememberByReading } from '../schema/remember-by-reading.ts';
import { selfContainedSchema } from '../document/self-contained-schema.ts';
import type { OpenApiDocument } from '../document/read-document.ts';
import { resolvePointer } from '../document/resolve-pointer.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import { locateSchemaError } from './locate-schema-error.ts';

/** Which way a value travels: a request may leave read-only properties out, a response write-only ones. */
export type Direction = 'request' | 'response';

const compiled = new WeakMap<OpenApiDocument['root'], Map<string, CompiledSchema>>();

/** The place that a reference leads to on which nothing else is said; in 3.0 nothing can be (§4.7.23). */
function followReference({ root, version }: OpenApiDocument, pointer: JsonPointer): JsonPointer {
  const seen = new Set<JsonPointer>();
  let place = pointer;
  while (!seen.has(place)) {
    seen.add(place);
    const schema = resolvePointer(root, place);
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    const isAlone = version === '3.0' || (isJsonObject(schema) && Object.keys(schema).length === 1);
    if (typeof reference !== 'string' || !reference.startsWith('#') || !isAlone) {
      return place;
    }
    place = reference.slice(1);
  }
  return pointer;
}

/**
 * Compiles the schema at a place of a document: once for each schema that references lead to, and direction.
 *
 * @throws DocumentError SCHEMA_UNUSABLE, with its line and column, where it cannot be compiled; so does its
 * `validator`
 */
export function compileSchemaAt(
  document: OpenApiDocument,
  pointer: JsonPointer,
  direction: Direction,
): CompiledSchema {
  const place = followReference(document, pointer);
  const known = compiled.get(document.root) ?? new Map<string, CompiledSchema>();
  compiled.set(document.root, known);
  const key = `${direction} ${place}`;
  const compile = (): CompiledSchema => {
    const { schema, placeOf } = selfContainedSchema({ root: document.root, pointer: place });
    const converted = fromOpenApiSchema({ schema, version: document.version, direction });
    const made = compileSchema({ schema: converted, pointer: place, placeOf });
    return {
      ...made,
      validator: rememberByReading((reading) =>
        locateSchemaError({ document, pointer: place, work: () => made.validator(reading) }),
      ),
    };
  };
  const schema = known.get(key) ?? locateSchemaError({ document, pointer: place, work: compile });
  known.set(key, schema);
  return schema;
}
