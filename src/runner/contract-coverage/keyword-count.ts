import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { KeywordSubject } from './keyword-subjects.ts';

/** What is counted of one keyword of a compiled schema. */
export interface KeywordCount {
  readonly keyword: string;
  /** What the schema says under the keyword. */
  readonly value: JsonValue;
  readonly subject: KeywordSubject;
  /** The place of the keyword in the schema that stands alone, as a problem names it. */
  readonly schemaPointer: JsonPointer;
  /** Whether an accepted value held what the keyword is about. */
  isReached: boolean;
  broken: number;
}
