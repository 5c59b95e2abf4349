import type { DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { type RefusalShape, toRefusalShape } from './declared-refusal.ts';

/** The error body of a document that declares none. */
const plainShape: RefusalShape = {
  headers: ['Content-Type', 'application/json'],
  body: ({ code, message }) => JSON.stringify({ error: code, message }),
};

/** How much a response is an error that speaks for others too: 400, 422, 4XX, default, another 4xx, a 5xx. */
function rank({ status }: DeclaredResponse): number {
  if (status.kind === 'default') {
    return 3;
  }
  if (status.kind === 'range') {
    return status.hundreds === 4 ? 2 : status.hundreds === 5 ? 5 : Infinity;
  }
  const ranked = [400, 422].indexOf(status.status);
  if (ranked !== -1) {
    return ranked;
  }
  return status.status >= 500 ? 5 : status.status >= 400 ? 4 : Infinity;
}

/**
 * The shape of an error that no response of the document declares: that of an error the operation declares,
 * else of one that any operation declares, else `{"error": …, "message": …}`.
 *
 * @param operations - the operation that the error is about first
 */
export function findErrorShape(operations: readonly Operation[]): RefusalShape {
  for (const { responses } of operations) {
    const errors = responses
      .filter((response) => rank(response) < Infinity && response.media.length > 0)
      .toSorted((left, right) => rank(left) - rank(right));
    for (const response of errors) {
      const shape = toRefusalShape(response);
      if (shape !== undefined) {
        // Fields that the document requires belong to the response that it declares.
        return { headers: shape.headers.slice(0, 2), body: shape.body };
      }
    }
  }
  return plainShape;
}
