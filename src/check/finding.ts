import type { JsonPointer } from '../json/json-pointer.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { Boundary } from './boundary.ts';
import type { CheckId } from './check-id.ts';
import type { Parity } from './parity.ts';

/**
 * How much a finding says (violation: the answer contradicts the document or the policy that the run was
 * told; advice: it contradicts an RFC or good practice where the document is silent; observation: the
 * document is silent and the answer is one of those that the policy lists).
 */
export type Level = 'violation' | 'advice' | 'observation';

/** The sentence that an answer is held against. */
export type Clause =
  | {
      readonly kind: 'document';
      /** The file that the place is in, where it is not in the document itself but in one that it refers to. */
      readonly file?: string;
      readonly pointer: JsonPointer;
      readonly quote: string;
    }
  | { readonly kind: 'rfc'; readonly name: string; readonly section: string; readonly quote: string }
  | { readonly kind: 'policy'; readonly question: QuestionId; readonly quote: string };

/** What a check concludes: data, which a report makes text of. */
export interface Finding {
  readonly check: CheckId;
  readonly level: Level;
  /** The id of the operation, or the method and path where the document has none. */
  readonly operation: string;
  readonly clause: Clause;
  /** What the clause asks for, in words: `a declared status (200 or 400)`. */
  readonly expected: string;
  /** What came: `500 text/html`. */
  readonly received: string;
  /** Findings of one check with equal causes and triggers are one finding; free of seeds and generated values. */
  readonly cause: string;
  /**
   * What of the request brings it about, where it has to be there: `a body that is not JSON`. What a plain
   * request shows has none, and stands for what others show of the same cause.
   */
  readonly trigger?: string;
  /** What else of the request might bring it about, where it holds more than one thing that is odd. */
  readonly otherTriggers?: readonly string[];
  /** Where what is refused begins, where that was found. */
  readonly boundary?: Boundary;
  /** How another service answered, where the run compares two and they differ. */
  readonly parity?: Parity;
}
