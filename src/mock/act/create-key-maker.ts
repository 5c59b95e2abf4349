import { isJsonObject } from '../../json/is-json-object.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { mergeSchema } from '../bodies/merge-schema.ts';
import { sampleValue } from '../bodies/sample-value.ts';

/** Makes the key of the n-th resource of a collection. */
export type MakeKey = (number: number) => JsonValue;

/** A UUID of version 4 that counts. */
export function makeUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/**
 * Chooses how keys are made that the service gives: integers count from 1; texts are UUIDs that count, or
 * where the schema does not take those, the number.
 *
 * @param property - that holds the key in the answer
 * @param schema - of the answer
 */
export function createKeyMaker(property: string, schema: CompiledSchema | undefined): MakeKey {
  const whole = schema?.schema ?? true;
  const root = isJsonObject(whole) ? whole : {};
  const own = mergeSchema(root, schemaProperties(whole).get(property)?.schema ?? true);
  const types = Array.isArray(own['type']) ? own['type'] : [own['type']];
  if (types.includes('integer') || types.includes('number')) {
    return (number) => number;
  }
  const validate = schema?.validator({ formats: 'assert', integers: 'by-value' });
  const sample = sampleValue({ schema: root, root });
  const makers: readonly MakeKey[] = [makeUuid, String, (number) => `key-${number}`];
  const fitting = makers.find((make) => {
    const value = isJsonObject(sample) ? { ...sample, [property]: make(1) } : make(1);
    return validate?.(value, holdsExactNumber(value)).every(
      ({ pointer }) => !pointer.startsWith(`/${property}`),
    );
  });
  return fitting ?? makeUuid;
}
