import type { JsonValue } from '../../../json/json-value.ts';
import type { BrokenClause } from '../../../mock/log/logged-request.ts';

/** A question that the document leaves open, with its answers. */
export interface PolicyQuestion {
  readonly id: string;
  readonly question: string;
  readonly scope: 'operation' | 'service';
  /** As the mock answers now. */
  readonly answer: JsonValue;
  readonly default: JsonValue;
  readonly choices: readonly { readonly answer: JsonValue; readonly label: string }[];
  readonly decidedBy: 'default' | 'policy' | 'document';
  /** Where the document answers it, for all or for some operations. */
  readonly places: readonly {
    readonly pointer: string;
    readonly says: string;
    readonly location?: BrokenClause['location'];
  }[];
}

/** Every question, and what is answered otherwise for single operations. */
export interface PolicyAnswers {
  readonly answers: readonly PolicyQuestion[];
  readonly operations: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  /** Those of them that can be taken back: the rest follows from the document. */
  readonly given: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}
