import type { Contract } from '../../contract/contract.ts';
import type { DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { contentOf } from './content-of.ts';

/** The error of a document that declares none. */
const plainContent: JsonObject = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['error', 'message'],
      properties: { error: { type: 'integer' }, message: { type: 'string' } },
    },
  },
};

/** How much a response is an error that speaks for others too: 400, 422, 4XX, default, another 4xx, a 5xx. */
function rank({ status }: DeclaredResponse): number {
  switch (status.kind) {
    case 'default':
      return 3;
    case 'range':
      return status.hundreds === 4 ? 2 : status.hundreds === 5 ? 5 : Infinity;
    case 'exact': {
      const ranked = [400, 422].indexOf(status.status);
      return ranked !== -1 ? ranked : status.status >= 500 ? 5 : status.status >= 400 ? 4 : Infinity;
    }
  }
}

/**
 * The content of an error that no response of the document declares: that of an error the operation declares, else of one
 * that any operation declares, else `{"error": …, "message": …}`.
 */
export function errorContent(contract: Contract, operation: Operation): JsonObject {
  for (const { responses } of [operation, ...contract.operations]) {
    const errors = responses
      .filter((response) => rank(response) < Infinity && response.media.length > 0)
      .toSorted((left, right) => rank(left) - rank(right));
    const content = errors
      .map((response) => contentOf(contract, response))
      .find((each) => each !== undefined);
    if (content !== undefined) {
      return content;
    }
  }
  return plainContent;
}
