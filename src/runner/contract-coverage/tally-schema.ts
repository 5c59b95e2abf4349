import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import type { KeywordCoverage } from '../operation-coverage.ts';
import type { SchemaCount } from './create-schema-count.ts';

/** What was counted of a keyword, by its place in the contract's own document. */
export interface KeywordTally {
  readonly pointer: JsonPointer;
  readonly keyword: string;
  /** What the schema says under the keyword, where it is one of a schema. */
  readonly value?: JsonValue;
  readonly of: KeywordCoverage['of'];
  readonly met: number;
  readonly broken: number;
}

/** What was counted of each keyword of a schema; one that stands in a definition of itself is one. */
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
