import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import type { SchemaProblem } from '../../schema/schema-problem.ts';
import type { KeywordCount } from './keyword-count.ts';
import { listKeywordCounts } from './list-keyword-counts.ts';
import { visitPlaces } from './visit-places.ts';

/** So many accepted values are looked at for what they hold; one that shows nothing new after them is rare. */
const mostLooks = 200;

/** What is counted of one compiled schema. */
export interface SchemaCount {
  readonly keywords: readonly KeywordCount[];
  /** How many values it accepted. */
  readonly accepted: () => number;
  /** Counts a value that it accepts. */
  meet(value: JsonValue): void;
  /** Counts what is wrong with a value. */
  break(problems: readonly SchemaProblem[], value: JsonValue): void;
  /** Counts a value that it accepts and that holds all of it, as a plain text does. */
  meetWhole(): void;
  /** Counts a keyword that is broken, where nothing else is known of the value. */
  breakAt(schemaPointer: JsonPointer): void;
}

function isOfSubject({ subject }: KeywordCount, value: JsonValue): boolean {
  switch (subject) {
    case 'any':
      return true;
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber;
    case 'string':
      return typeof value === 'string';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
  }
}

/** Whether a keyword says of a value what another, which is named as broken, says of the same value. */
function saysTheSame(other: KeywordCount, named: KeywordCount, problem: SchemaProblem): boolean {
  if (other.keyword !== named.keyword) {
    return false;
  }
  if (problem.keyword === 'required') {
    return Array.isArray(other.value) && other.value.includes(problem.params.property);
  }
  return jsonEqual(other.value, named.value);
}

/**
 * Starts counting for a schema. What an accepted value holds is looked at in the first ones only, and what else
 * a problem stands for once for each keyword, so that counting costs little more than an addition.
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
        if (!count.isReached && isOfSubject(count, visit.value)) {
          count.isReached = true;
          unreached -= 1;
        }
      }
    });
  }

  /** A problem names one keyword where several say the same, and a branch of `anyOf` in the place of `anyOf`. */
  function listBroken(problem: SchemaProblem, value: JsonValue): readonly KeywordCount[] {
    const named = byPointer.get(problem.schemaPointer);
    const found = new Set<KeywordCount>(named === undefined ? [] : [named]);
    for (const { index, 0: around } of problem.schemaPointer.matchAll(/\/(?:anyOf|oneOf)(?=\/\d+\/)/gu)) {
      const alternatives = byPointer.get(problem.schemaPointer.slice(0, index + around.length));
      if (alternatives !== undefined) {
        found.add(alternatives);
      }
    }
    visitPlaces(schema, value, ({ place, at }) => {
      for (const count of at === problem.pointer ? (byPlace.get(place) ?? []) : []) {
        if (named !== undefined && saysTheSame(count, named, problem)) {
          found.add(count);
        }
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
        // The names of other properties than required ones are generated, and of those there is no end.
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
