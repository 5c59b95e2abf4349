import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { createKeyMaker, type MakeKey, makeUuid } from '../act/create-key-maker.ts';
import { mergeSchema } from '../bodies/merge-schema.ts';
import type { Collection } from './create-collections.ts';

/** Counts in the steps of a schema, from its lower bound. */
function countFrom(schema: JsonSchema, property: string): MakeKey {
  const own = mergeSchema(
    isJsonObject(schema) ? schema : {},
    schemaProperties(schema).get(property)?.schema ?? true,
  );
  const { minimum, exclusiveMinimum, multipleOf } = own;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const bounds = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const start = Math.floor(Math.max(...bounds, 0) / step);
  return (number) => (start + number) * step;
}

/** Ways to make the keys that a client would send, likeliest first; none where it sends none. */
export function keyMakers({ key, operation }: Pick<Collection, 'key' | 'operation'>): readonly MakeKey[] {
  const schema = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema;
  return key.kind === 'client'
    ? [
        (number) => number,
        countFrom(schema?.schema ?? true, key.property),
        String,
        makeUuid,
        createKeyMaker(key.property, schema),
      ]
    : [];
}
