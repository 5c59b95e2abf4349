import { appendPointer, type JsonPointer } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { type JsonSchema, jsonTypeOf, mapSubschemas, resolveLocal } from '../../schema/walk.ts';
import type { KeywordCoverage } from '../events.ts';

/** The JSON type that a keyword applies to; `any` is all of them. */
type KeywordSubject = 'number' | 'string' | 'array' | 'object' | 'any';

/**
 * The keywords that assert something by themselves (JSON Schema 2020-12 validation §6; core §10.2.1), by type.
 * `false` as a schema also asserts; {@link isAsserting} handles it.
 */
const assertions: readonly (readonly [subject: KeywordSubject, keywords: readonly string[]])[] = [
  ['any', ['type', 'enum', 'const', 'format', 'anyOf', 'oneOf', 'not']],
  ['number', ['multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum']],
  ['string', ['maxLength', 'minLength', 'pattern']],
  ['array', ['maxItems', 'minItems', 'uniqueItems', 'contains', 'items', 'unevaluatedItems']],
  ['object', ['maxProperties', 'minProperties', 'required', 'dependentRequired', 'propertyNames']],
  ['object', ['additionalProperties', 'unevaluatedProperties']],
];
const keywordSubjects = new Map(
  assertions.flatMap(([subject, keywords]) => keywords.map((keyword) => [keyword, subject] as const)),
);

/** Keywords with a schema. They assert something by themselves only if that schema is `false`. */
const holders = new Set(['items', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties']);

/** Returns whether a keyword with this value can be broken at all. */
function isAsserting(keyword: string, value: unknown): boolean {
  if (holders.has(keyword)) return value === false;
  if (keyword === 'uniqueItems') return value === true;
  return keyword !== 'required' || (Array.isArray(value) && value.length > 0);
}

/** The counts of one keyword of a compiled schema. */
interface KeywordCount {
  readonly keyword: string;
  /** The value of the keyword. */
  readonly value: JsonValue;
  readonly subject: KeywordSubject;
  /** The pointer to the keyword in the standalone schema, as in a problem. */
  readonly schemaPointer: JsonPointer;
  /** Whether an accepted value contained the part that the keyword applies to. */
  isReached: boolean;
  broken: number;
}

/** The maximum number of counted keywords; a schema may refer to half of a large document. */
const mostKeywords = 500;

/** Lists the breakable keywords of a schema, including its definitions, by the pointer of their schema. */
function listKeywordCounts(schema: JsonSchema): ReadonlyMap<JsonPointer, readonly KeywordCount[]> {
  const found = new Map<JsonPointer, readonly KeywordCount[]>();
  let left = mostKeywords;

  function visit(part: JsonSchema, pointer: JsonPointer): JsonSchema {
    if (!isJsonObject(part) || left <= 0) return part;
    const counts = Object.entries(part).flatMap(([keyword, value]): KeywordCount[] => {
      const subject = keywordSubjects.get(keyword);
      if (subject === undefined || !isAsserting(keyword, value)) return [];
      const schemaPointer = appendPointer(pointer, keyword);
      return [{ keyword, value, subject, schemaPointer, isReached: false, broken: 0 }];
    });
    found.set(pointer, counts);
    left -= counts.length;
    mapSubschemas(part, visit, pointer);
    return part;
  }

  visit(schema, '');
  return found;
}

/** The maximum number of visited parts; later parts of a large value rarely show more. */
const mostPlaces = 500;

/** Returns whether a valid value of this shape may have matched a branch. */
function mayFit(branch: JsonValue, value: JsonValue): boolean {
  if (!isJsonObject(branch)) return branch === true;
  const { type, required } = branch;
  const own = jsonTypeOf(value);
  const types = [type ?? []].flat();
  const isOfType =
    types.length === 0 || types.includes(own) || (own === 'number' && types.includes('integer'));
  const lacks = (name: JsonValue): boolean =>
    typeof name === 'string' && isJsonObject(value) && !Object.hasOwn(value, name);
  return isOfType && !(Array.isArray(required) && required.some(lacks));
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** A location in a schema, and the part of a value that it validates. */
interface Visit {
  readonly place: JsonPointer;
  readonly value: JsonValue;
  /** The pointer to the part in the whole value. */
  readonly at: JsonPointer;
}

/**
 * Visits the parts of a schema that apply to a value. Of `anyOf` and `oneOf` it visits the branches that match by type
 * and required properties; it does not visit `not` and `if`.
 */
function visitPlaces(root: JsonSchema, whole: JsonValue, visitor: (visit: Visit) => void): void {
  let left = mostPlaces;

  function visit(schema: JsonValue | undefined, { place, value, at }: Visit): void {
    if (!isJsonObject(schema) || left === 0) return;
    left -= 1;
    visitor({ place, value, at });
    const { $ref: reference } = schema;
    if (typeof reference === 'string' && reference.startsWith('#')) {
      const target = reference.slice(1);
      visit(resolveLocal(root, reference), { place: target, value, at });
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const parts = schema[keyword];
      for (const [index, part] of Array.isArray(parts) ? parts.entries() : []) {
        if (keyword !== 'allOf' && !mayFit(part, value)) continue;
        visit(part, { place: appendPointer(place, keyword, index), value, at });
      }
    }
    if (Array.isArray(value)) {
      visitItems(schema, value, { place, at });
    } else if (isJsonObject(value)) {
      visitProperties(schema, value, { place, at });
    }
  }

  function visitItems(
    { items, prefixItems }: JsonObject,
    list: readonly JsonValue[],
    { place, at }: Omit<Visit, 'value'>,
  ): void {
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    list.forEach((value, index) => {
      const keys = index < first.length ? ['prefixItems', index] : ['items'];
      visit(index < first.length ? first[index] : items, {
        value,
        at: appendPointer(at, index),
        place: appendPointer(place, ...keys),
      });
    });
  }

  function visitProperties(
    { properties, patternProperties, additionalProperties }: JsonObject,
    object: JsonObject,
    { place, at }: Omit<Visit, 'value'>,
  ): void {
    const declared = isJsonObject(properties) ? properties : {};
    const patterns = isJsonObject(patternProperties) ? patternProperties : {};
    for (const [name, value] of Object.entries(object)) {
      const part = { value, at: appendPointer(at, name) };
      const matching = Object.keys(patterns).filter((pattern) => matches(pattern, name));
      if (Object.hasOwn(declared, name)) {
        visit(declared[name], { ...part, place: appendPointer(place, 'properties', name) });
      } else if (matching.length === 0) {
        visit(additionalProperties, { ...part, place: appendPointer(place, 'additionalProperties') });
      }
      for (const pattern of matching) {
        visit(patterns[pattern], { ...part, place: appendPointer(place, 'patternProperties', pattern) });
      }
    }
  }

  visit(root, { place: '', value: whole, at: '' });
}

/** The maximum number of accepted values that are inspected; later ones rarely show anything new. */
const mostLooks = 2_000;

/** The counts of one compiled schema. */
export interface SchemaCount {
  readonly keywords: readonly KeywordCount[];
  /** Returns the number of values that it accepted. */
  readonly accepted: () => number;
  /** Counts a value that it accepts. */
  meet(value: JsonValue): void;
  /** Counts the keywords that a value breaks. */
  break(problems: readonly SchemaProblem[], value: JsonValue): void;
  /** Counts an accepted value that contains all parts, like a plain string. */
  meetWhole(): void;
  /** Counts a broken keyword, if nothing else is known about the value. */
  breakAt(schemaPointer: JsonPointer): void;
}

/** Returns whether a keyword asserts the same as another one that a problem names as broken. */
function saysTheSame(other: KeywordCount, named: KeywordCount, problem: SchemaProblem): boolean {
  if (other.keyword !== named.keyword) return false;
  if (problem.keyword === 'required') {
    return Array.isArray(other.value) && other.value.includes(problem.params.property);
  }
  return jsonEqual(other.value, named.value);
}

/**
 * Starts counting for a schema. Only the first accepted values are inspected, and each kind of problem is resolved to
 * its keywords only once. Counting costs little more than an addition.
 */
export function createSchemaCount({ schema }: Pick<CompiledSchema, 'schema'>): SchemaCount {
  const byPlace = listKeywordCounts(schema);
  const keywords = [...byPlace.values()].flat();
  const byPointer = new Map(keywords.map((count) => [count.schemaPointer, count]));
  const brokenWith = new Map<JsonPointer, Map<string, readonly KeywordCount[]>>();
  let accepted = 0;
  let looks = 0;
  let unreached = keywords.length;

  function reach(value: JsonValue): void {
    looks += 1;
    visitPlaces(schema, value, (visit) => {
      for (const count of byPlace.get(visit.place) ?? []) {
        if (!count.isReached && (count.subject === 'any' || count.subject === jsonTypeOf(visit.value))) {
          count.isReached = true;
          unreached -= 1;
        }
      }
    });
  }

  /** Lists the broken keywords: a problem names only one of several equal ones, and a branch instead of its `anyOf`. */
  function listBroken(problem: SchemaProblem, value: JsonValue): readonly KeywordCount[] {
    const named = byPointer.get(problem.schemaPointer);
    const found = new Set<KeywordCount>(named === undefined ? [] : [named]);
    for (const { index, 0: around } of problem.schemaPointer.matchAll(/\/(?:anyOf|oneOf)(?=\/\d+\/)/gu)) {
      const alternatives = byPointer.get(problem.schemaPointer.slice(0, index + around.length));
      if (alternatives !== undefined) found.add(alternatives);
    }
    visitPlaces(schema, value, ({ place, at }) => {
      for (const count of at === problem.pointer ? (byPlace.get(place) ?? []) : []) {
        if (named !== undefined && saysTheSame(count, named, problem)) found.add(count);
      }
    });
    return [...found];
  }

  function recallBroken(problem: SchemaProblem, property: string, value: JsonValue): readonly KeywordCount[] {
    const byProperty = brokenWith.get(problem.schemaPointer) ?? new Map<string, readonly KeywordCount[]>();
    brokenWith.set(problem.schemaPointer, byProperty);
    const counts = byProperty.get(property) ?? listBroken(problem, value);
    byProperty.set(property, counts);
    return counts;
  }

  return {
    keywords,
    accepted: () => accepted,
    meet(value) {
      accepted += 1;
      if (unreached > 0 && looks < mostLooks) {
        reach(value);
      }
    },
    break(problems, value) {
      for (const problem of problems) {
        // The names of properties that are not required are generated, and their number has no limit.
        const property = problem.keyword === 'required' ? problem.params.property : '';
        for (const count of recallBroken(problem, property, value)) {
          count.broken += 1;
        }
      }
    },
    meetWhole() {
      accepted += 1;
      if (unreached > 0) {
        unreached = 0;
        for (const count of keywords) {
          count.isReached = true;
        }
      }
    },
    breakAt(schemaPointer) {
      const count = byPointer.get(schemaPointer);
      if (count !== undefined) {
        count.broken += 1;
      }
    },
  };
}

/** The counts of a keyword, by its location in the contract's document. */
export interface KeywordTally extends Omit<KeywordCoverage, 'file' | 'reason'> {
  /** The value of the keyword, if it is one of a schema. */
  readonly value?: JsonValue;
}

/** Tallies each keyword of a schema. A keyword in a recursive definition counts once. */
export function tallySchema(
  schema: CompiledSchema,
  count: SchemaCount,
  of: KeywordCoverage['of'],
): readonly KeywordTally[] {
  const byPlace = new Map<JsonPointer, KeywordTally>();
  for (const { keyword, value, schemaPointer, isReached, broken } of count.keywords) {
    const pointer = schema.placeOf(schemaPointer);
    const known = byPlace.get(pointer);
    byPlace.set(pointer, {
      pointer,
      keyword,
      value,
      of,
      met: Math.max(known?.met ?? 0, isReached ? count.accepted() : 0),
      broken: Math.max(known?.broken ?? 0, broken),
    });
  }
  return [...byPlace.values()];
}
