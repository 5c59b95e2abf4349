import type { JsonObject } from '../json/json-value.ts';

/**
 * A matter that a document leaves open, with the answers that an implementation may give. What a document says to it is
 * in `silences`, how a running service is asked in `probes`, which other answer hides its answer in `masks`.
 */
export interface Question<Id extends string, Answer> {
  readonly id: Id;
  /** In words, as one would ask it of an implementation. */
  readonly question: string;
  /** Whether it is one of each operation, or of the whole service. */
  readonly scope: 'operation' | 'service';
  /** How the mock answers where nobody says otherwise. */
  readonly default: Answer;
  /** A few answers that stand for all, the default first; the tests go through them. */
  readonly representatives: readonly Answer[];
  /** The JSON Schema (2020-12) of its answers, with descriptions: what may stand in a policy file. */
  readonly schema: JsonObject;
  /** An answer as a short phrase: `409 with an error body`. */
  readonly describe: (answer: Answer) => string;
}
