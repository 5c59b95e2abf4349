import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { Declare } from './declaration.ts';
import type { Silence } from './silence.ts';

/** What a document says to a question by OpenAPI's own means, and how it can be made to. */
export interface QuestionSilence<Answer> {
  /** What the document says of an operation, and what it leaves open; it looks at OpenAPI's own means alone. */
  readonly silence: (operation: Operation, contract: Contract) => Silence<Answer>;
  /** Undefined where OpenAPI has no words for any answer. */
  readonly declare?: Declare<Answer>;
}
