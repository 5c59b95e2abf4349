import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { inPlaceKeywords, type JsonSchema, subschemasAt } from './walk.ts';

const prefix = '#/$defs/';

/** Judging one value by so many definitions is no matter. */
const mostJudged = 256;
/** Nobody reads more errors of one definition than these; each that has the next one twice doubles them. */
const mostErrors = 256;

/**
 * Whether definitions refer to each other for the same value so often that judging it by all of them would take very long:
 * thirty that each have the next one twice in `anyOf` come to 2^30. An interpreter judges a value by each of them once.
 *
 * @param counts - how often each definition of the document leads to others, as far as that is known
 */
export function areJudgedOften(
  definitions: Readonly<Record<string, JsonSchema>>,
  counts: Map<string, number>,
): boolean {
  function count(name: string): number {
    const known = counts.get(name);
    if (known !== undefined) return known;
    // One that refers to itself for the same value is refused elsewhere.
    counts.set(name, 0);
    const sum = 1 + targetsInPlace(definitions[name] ?? true).reduce((all, target) => all + count(target), 0);
    counts.set(name, sum);
    return sum;
  }

  return Object.keys(definitions).some((name) => count(name) > mostJudged);
}

function targetsInPlace(schema: JsonValue): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const parts = subschemasAt(schema, [...inPlaceKeywords, 'not']);
  return [...targetOf(schema), ...parts.flatMap(targetsInPlace)];
}

function targetOf({ $ref: reference }: JsonObject): readonly string[] {
  return typeof reference === 'string' && reference.startsWith(prefix)
    ? [reference.slice(prefix.length)]
    : [];
}

/** Of very many errors the last alone, which says what they come to. */
export function shorten(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const last = errors.at(-1);
  if (last === undefined || errors.length <= mostErrors) return errors;
  const ends: unknown = last.params['ends'];
  return [Array.isArray(ends) ? { ...last, params: { ...last.params, ends: ends.map(() => 0) } } : last];
}
