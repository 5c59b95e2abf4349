import { listErrorResponses } from '../../contract/list-error-responses.ts';
import type { Operation } from '../../contract/operation.ts';
import { type RefusalShape, toRefusalShape } from './declared-refusal.ts';

/** The error body of a document that declares none. */
const plainShape: RefusalShape = {
  headers: ['Content-Type', 'application/json'],
  body: ({ code, message }) => JSON.stringify({ error: code, message }),
};

/**
 * The shape of an error that no response of the document declares: that of an error the operation declares,
 * else of one that any operation declares, else `{"error": …, "message": …}`.
 *
 * @param operations - the operation that the error is about first
 */
export function findErrorShape(operations: readonly Operation[]): RefusalShape {
  for (const operation of operations) {
    for (const response of listErrorResponses(operation)) {
      const shape = toRefusalShape(response);
      if (shape !== undefined) {
        // Fields that the document requires belong to the response that it declares.
        return { headers: shape.headers.slice(0, 2), body: shape.body };
      }
    }
  }
  return plainShape;
}
