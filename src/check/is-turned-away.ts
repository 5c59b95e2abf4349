import type { Judged } from './judged.ts';

/** Statuses that speak of the moment, not of the request (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4). */
const passing = new Set([408, 425, 429]);

/** Whether a request was redirected or refused, and not only put off. */
export function isTurnedAway({ answer }: Judged): boolean {
  if (answer.kind !== 'response') {
    return false;
  }
  const { status } = answer.response;
  return status >= 300 && status < 500 && !passing.has(status);
}
