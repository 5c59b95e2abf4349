import fc from 'fast-check';
import type { Operation } from '../contract/operation.ts';
import type { JsonValue } from '../json/json-value.ts';
import { plainBody } from './plain-body.ts';

/**
 * Bodies that anybody would send to an operation, the same under the same seed. A key of the plain class stands for
 * the key.
 *
 * @returns none where the operation takes no body, or where none can be made
 */
export function sampleBodies(input: {
  readonly operation: Operation;
  readonly seed: number;
  readonly count: number;
}): readonly JsonValue[] {
  const { operation, seed, count } = input;
  const plain = plainBody(operation);
  return plain.kind === 'body' ? fc.sample(plain.body.arbitrary, { seed, numRuns: count }) : [];
}
