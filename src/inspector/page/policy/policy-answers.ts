import type { JsonValue } from '../../../json/json-value.ts';

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
}

/** Every question, and what is answered otherwise for single operations. */
export interface PolicyAnswers {
  readonly answers: readonly PolicyQuestion[];
  readonly operations: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
}
