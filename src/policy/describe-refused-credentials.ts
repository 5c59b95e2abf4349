import type { RefusedCredentials } from './refused-credentials.ts';

const bodies = {
  error: 'an error body',
  problem: 'a problem body (RFC 9457)',
  empty: 'no body',
  other: 'a body of its own',
} as const;

/** An answer to bad credentials as a phrase: `401 with an error body`. */
export function describeRefusedCredentials({ status, body }: RefusedCredentials): string {
  return `${status} with ${bodies[body]}`;
}
