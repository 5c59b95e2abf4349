import type { BodyKey } from '../src/arbitrary/body-key.ts';
import type { Contract } from '../src/contract/contract.ts';
import { type BodyOperation, bodyOperations } from './body-operations.ts';

/** A create whose client chooses the key. */
export interface KeyedOperation extends BodyOperation {
  readonly key: BodyKey;
}

/** The creates whose clients choose the key, and whose keys can be drawn fresh. */
export function keyedOperations(contract: Contract): readonly KeyedOperation[] {
  return bodyOperations(contract).operations.flatMap(({ operation, body }): KeyedOperation[] =>
    body.key === undefined ? [] : [{ operation, body, key: body.key }],
  );
}
