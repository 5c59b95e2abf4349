import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { mapSubschemas } from '../../schema/map-subschemas.ts';
import type { KeywordCount } from './keyword-count.ts';
import { isAsserting, keywordSubjects } from './keyword-subjects.ts';

/**
 * The keywords of a schema that can be broken, its definitions included, by the place of the schema that they
 * stand in.
 *
 * @param schema - standing alone
 */
export function listKeywordCounts(schema: JsonSchema): ReadonlyMap<JsonPointer, readonly KeywordCount[]> {
  const found = new Map<JsonPointer, readonly KeywordCount[]>();

  function visit(part: JsonSchema, pointer: JsonPointer): JsonSchema {
    if (!isJsonObject(part)) {
      return part;
    }
    const counts = Object.entries(part).flatMap(([keyword, value]): KeywordCount[] => {
      const subject = keywordSubjects.get(keyword);
      return subject === undefined || !isAsserting(keyword, value)
        ? []
        : [
            {
              keyword,
              value,
              subject,
              schemaPointer: appendPointer(pointer, keyword),
              isReached: false,
              broken: 0,
            },
          ];
    });
    found.set(pointer, counts);
    mapSubschemas({ schema: part, pointer, map: visit });
    return part;
  }

  visit(schema, '');
  return found;
}
