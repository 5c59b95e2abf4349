import type { Operation } from './contract.ts';
import type { Parameter } from './read-parameters.ts';

/** Returns the header parameter for the key of a retried request (draft-ietf-httpapi-idempotency-key-header §2). */
export function findIdempotencyKey({ parameters }: Operation): Parameter | undefined {
  return parameters.find((each) => each.in === 'header' && /^(?:x-)?idempotency-key$/iu.test(each.name));
}
