import { type PlainBody } from '../src/arbitrary/plain-body.ts';
import { plainRequest } from '../src/arbitrary/plain-request.ts';
import type { Contract } from '../src/contract/contract.ts';
import type { Operation } from '../src/contract/operation.ts';

/** An operation and the plain bodies that it takes. */
export interface BodyOperation {
  readonly operation: Operation;
  readonly body: PlainBody;
}

/** The operations that take a JSON body, or the reason why there is none. */
export function bodyOperations(contract: Contract): {
  readonly operations: readonly BodyOperation[];
  readonly reason: string;
} {
  const described = contract.operations.map((operation) => ({ operation, plain: plainRequest(operation) }));
  const operations = described.flatMap(({ operation, plain: { body, problem } }): BodyOperation[] =>
    body.kind === 'body' && problem === undefined ? [{ operation, body: body.body }] : [],
  );
  const problems = described.flatMap(({ operation, plain: { body, problem } }) => {
    const reason = problem ?? (body.kind === 'unavailable' ? body.reason : undefined);
    return reason === undefined ? [] : [`${operation.id}: ${reason}`];
  });
  const reason = problems.length === 0 ? 'no operation takes a JSON body' : problems.join('; ');
  return { operations, reason };
}
