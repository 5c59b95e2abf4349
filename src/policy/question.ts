import type { JsonObject } from '../json/json-value.ts';
import type { FindMask } from './mask.ts';
import type { Probe } from './probe.ts';
import type { QuestionSilence } from './question-silence.ts';

/** A matter that a document leaves open, with the answers that an implementation may give. */
export interface Question<Id extends string, Answer> extends QuestionSilence<Answer> {
  readonly id: Id;
  /** In words, as one would ask it of an implementation. */
  readonly question: string;
  /** How the mock answers where nobody says otherwise. */
  readonly default: Answer;
  /** A few answers that stand for all, the default first; the tests go through them. */
  readonly representatives: readonly Answer[];
  /** The JSON Schema (2020-12) of its answers, with descriptions: what may stand in a policy file. */
  readonly schema: JsonObject;
  /** An answer as a short phrase: `409 with an error body`. */
  readonly describe: (answer: Answer) => string;
  /** How to ask a running service. */
  readonly probe: Probe<Answer>;
  /** Which other answer of a policy hides its answer. */
  readonly mask: FindMask;
}
