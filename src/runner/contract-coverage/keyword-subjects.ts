/** The JSON types that a keyword says something of; `any` is all of them. */
export type KeywordSubject = 'number' | 'string' | 'array' | 'object' | 'any';

/**
 * The keywords that assert something on their own, and of which values (JSON Schema 2020-12 validation §6; core
 * §10.2.1). `false` in the place of a schema asserts too, which {@link isAsserting} knows.
 */
export const keywordSubjects: ReadonlyMap<string, KeywordSubject> = new Map<string, KeywordSubject>([
  ['type', 'any'],
  ['enum', 'any'],
  ['const', 'any'],
  ['format', 'any'],
  ['anyOf', 'any'],
  ['oneOf', 'any'],
  ['not', 'any'],
  ['multipleOf', 'number'],
  ['maximum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['minimum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['maxLength', 'string'],
  ['minLength', 'string'],
  ['pattern', 'string'],
  ['maxItems', 'array'],
  ['minItems', 'array'],
  ['uniqueItems', 'array'],
  ['contains', 'array'],
  ['items', 'array'],
  ['unevaluatedItems', 'array'],
  ['maxProperties', 'object'],
  ['minProperties', 'object'],
  ['required', 'object'],
  ['dependentRequired', 'object'],
  ['propertyNames', 'object'],
  ['additionalProperties', 'object'],
  ['unevaluatedProperties', 'object'],
]);

/** What holds a schema: it asserts something of its own only where that schema is `false`. */
const holders = new Set(['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties']);

/** Whether a keyword, with the value that it has, can be broken at all. */
export function isAsserting(keyword: string, value: unknown): boolean {
  if (!keywordSubjects.has(keyword)) {
    return false;
  }
  if (holders.has(keyword)) {
    return value === false;
  }
  if (keyword === 'uniqueItems') {
    return value === true;
  }
  return keyword !== 'required' || (Array.isArray(value) && value.length > 0);
}
