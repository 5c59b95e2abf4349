import type { Operation } from '../contract/operation.ts';
import type { SecurityAlternative } from '../contract/security.ts';

/**
 * The way in which good credentials are shown: the first that asks for some and whose schemes Cloche can
 * all meet.
 *
 * @returns undefined where there is none
 */
export function pickAlternative(operation: Operation): SecurityAlternative | undefined {
  return operation.security.find(
    (schemes) => schemes.length > 0 && schemes.every(({ kind }) => kind !== 'unjudged'),
  );
}
