import type { JsonValue } from '../json/json-value.ts';
import type { QuestionId } from '../policy/question-id.ts';

/** What a request says that two services answered differently, held against the contract. */
export type ParityVerdict =
  /** The answer of the service under test contradicts the contract, that of the other does not. */
  | { readonly kind: 'tested-wrong' }
  | { readonly kind: 'other-wrong' }
  | {
      readonly kind: 'silent';
      /** The question that the contract leaves open; undefined where there is none for it. */
      readonly question: QuestionId | undefined;
      /**
       * How a policy says what the service under test does: the whole answer, or those members of it that were
       * seen. Undefined where no answer of the question does, or none could be read from one exchange.
       */
      readonly answer: JsonValue | undefined;
      /** Another question that says as much, where the service turns out to answer that one differently. */
      readonly unless?: QuestionId;
    };

/** How the answer of another service, which was sent the same request, stands beside the one that was judged. */
export interface Parity {
  /** What reports call the two: `the service`, `the mock`, `the other service`. */
  readonly tested: string;
  readonly other: string;
  /** What it answered, in words, free of generated values: `400 application/json`. */
  readonly answered: string;
  readonly verdict: ParityVerdict;
}
