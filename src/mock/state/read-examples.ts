import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Collection } from './create-collections.ts';

/** What the document shows of the resources of a collection. */
export interface RowExamples {
  /** Whole bodies. */
  readonly whole: readonly JsonObject[];
  /** Values of single properties. */
  readonly byProperty: ReadonlyMap<string, readonly JsonValue[]>;
}

function examplesOf(schema: JsonSchema): readonly JsonValue[] {
  if (!isJsonObject(schema)) {
    return [];
  }
  const { example, examples } = schema;
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
}

/** Reads the examples of a create: of its body, of the schema of that, and of its properties. */
export function readExamples({ operation }: Pick<Collection, 'operation'>): RowExamples {
  const media = operation.requestBody?.media.find(({ isJson }) => isJson);
  const schema = media?.schema?.schema ?? true;
  const whole = [...(media?.examples ?? []), ...examplesOf(schema)].filter(isJsonObject);
  const byProperty = new Map<string, readonly JsonValue[]>();
  for (const [name, property] of schemaProperties(schema)) {
    const values = examplesOf(property.schema);
    if (values.length > 0) {
      byProperty.set(name, values);
    }
  }
  return { whole, byProperty };
}
