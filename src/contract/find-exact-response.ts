import type { DeclaredResponse } from './declared-response.ts';
import type { Operation } from './operation.ts';

/** The response that an operation declares for a status by itself, not by a range or `default`. */
export function findExactResponse({ responses }: Operation, status: number): DeclaredResponse | undefined {
  return responses.find(({ status: pattern }) => pattern.kind === 'exact' && pattern.status === status);
}
