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

/** The number in letters, `a` for 0, the text before it padded with what stands for nothing. */
function countInLetters(run: string, number: number): string {
  const first = /^[a-z]/u.test(run) ? 'a' : 'A';
  let rest = number;
  let letters = '';
  while (rest > 0) {
    letters = String.fromCharCode(first.charCodeAt(0) + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return letters.padStart(run.length, first);
}

/** Ways to count in a text that a pattern asks for: no two numbers give the same text. */
function makersLike(text: string): readonly MakeKey[] {
  const digits = (run: string, number: number): string => String(number).padStart(run.length, '0');
  return [
    (number) => text.replace(/[0-9A-Za-z]+$/u, (run) => digits(run, number)),
    (number) => text.replace(/\d+(?=\D*$)/u, (run) => digits(run, number)),
    (number) => text.replace(/(?:[a-z]+|[A-Z]+)$/u, (run) => countInLetters(run, number)),
  ];
}

/**
 * Chooses how keys are made that the service gives: integers count from 1; texts are UUIDs that count, or
 * where the schema does not take those, the number, or a text like the one that the schema gives.
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
  const like = isJsonObject(sample) && Object.hasOwn(sample, property) ? sample[property] : undefined;
  const makers: readonly MakeKey[] = [
    makeUuid,
    String,
    (number) => `key-${number}`,
    ...(typeof like === 'string' ? makersLike(like) : []),
  ];
  function fits(key: JsonValue): boolean {
    const value = isJsonObject(sample) ? { ...sample, [property]: key } : key;
    const problems = validate?.(value, holdsExactNumber(value));
    return problems?.every(({ pointer }) => !pointer.startsWith(`/${property}`)) ?? false;
  }
  const lasting = makers.find((make) => make(1) !== make(1000) && fits(make(1)) && fits(make(1000)));
  return lasting ?? makers.slice(0, 3).find((make) => fits(make(1))) ?? makeUuid;
}
