import type { DeclaredResponse } from './declared-response.ts';
import { isOfAnyKind } from './is-of-any-kind.ts';
import type { Operation } from './operation.ts';

/** How much a response is an error that speaks for others too. */
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
 * The errors that an operation declares, with what they hold, the one that speaks most for others first: 400, 422, 4XX,
 * default, another 4xx, a 5xx (OpenAPI 3.1 §4.8.16).
 */
export function listErrorResponses({ responses }: Operation): readonly DeclaredResponse[] {
  return responses
    .filter((response) => rank(response) < Infinity && !response.media.every(isOfAnyKind))
    .toSorted((left, right) => rank(left) - rank(right));
}
