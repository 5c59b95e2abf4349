import type { Contract } from '../contract/contract.ts';
import type { Operation } from '../contract/operation.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { RefusedCredentials } from './refused-credentials.ts';

/** Something that a document can be made to say of an operation by OpenAPI's own means. */
export type Addition =
  /** Another response (OpenAPI 3.1 §4.8.17); left out where its status is declared already. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly description: string;
      /** What it holds, unless a range or `default` of the document says so. */
      readonly body: RefusedCredentials['body'];
      /** Header objects by name (OpenAPI 3.1 §4.8.21). */
      readonly headers?: JsonObject;
    }
  /** A schema that a JSON body must meet besides its own. */
  | { readonly kind: 'request-schema'; readonly schema: JsonObject }
  /** A schema that a JSON body of the success that is declared must meet besides its own. */
  | { readonly kind: 'answer-schema'; readonly schema: JsonObject };

/** How a document comes to give an answer. */
export interface Declaration<Answer> {
  readonly additions: readonly Addition[];
  /** What is left to be answered once it says that. */
  readonly answer: Answer;
}

/** Says by OpenAPI's own means what an answer means for an operation. */
export type Declare<Answer> = (input: {
  readonly answer: Answer;
  readonly operation: Operation;
  readonly contract: Contract;
}) => Declaration<Answer>;
