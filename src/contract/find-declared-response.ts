import type { DeclaredResponse } from './declared-response.ts';

function fits({ status: pattern }: DeclaredResponse, status: number): 0 | 1 | 2 | 3 {
  switch (pattern.kind) {
    case 'exact':
      return pattern.status === status ? 3 : 0;
    case 'range':
      return pattern.hundreds === Math.floor(status / 100) ? 2 : 0;
    case 'default':
      return 1;
  }
}

/**
 * The response that a document declares for a status: the exact one, else the range, else `default`
 * (OpenAPI 3.1 §4.8.16).
 */
export function findDeclaredResponse(
  responses: readonly DeclaredResponse[],
  status: number,
): DeclaredResponse | undefined {
  let best: DeclaredResponse | undefined;
  for (const response of responses) {
    if (fits(response, status) > (best === undefined ? 0 : fits(best, status))) {
      best = response;
    }
  }
  return best;
}
