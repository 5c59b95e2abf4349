import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { inPlaceKeywords, type JsonSchema, subschemasAt } from './walk.ts';

const prefix = '#/$defs/';

/** Checking a value by this number of definitions is fast enough. */
const mostJudged = 256;
/** The maximum number of errors per definition: a chain of double references doubles them at each step. */
const mostErrors = 256;

/**
 * Returns whether definitions refer to each other so often for one value that compiled validation is very slow: thirty
 * that each contain the next one twice in `anyOf` need 2^30 checks. An interpreter checks a value by each of them once.
 *
 * @param counts - the known number of checks through each definition of the document
 */
export function areJudgedOften(
  definitions: Readonly<Record<string, JsonSchema>>,
  counts: Map<string, number>,
): boolean {
  function count(name: string): number {
    const known = counts.get(name);
    if (known !== undefined) return known;
    // Other code rejects a definition that refers to itself for the same value.
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

/** Reduces very many errors to the last one, which summarizes them. */
export function shorten(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const last = errors.at(-1);
  if (last === undefined || errors.length <= mostErrors) return errors;
  const ends: unknown = last.params['ends'];
  return [Array.isArray(ends) ? { ...last, params: { ...last.params, ends: ends.map(() => 0) } } : last];
}
