import type { Subject } from '../exchange-check.ts';

/** The status of an answer, 0 where none came. */
export function statusOf({ answer }: Subject): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}
