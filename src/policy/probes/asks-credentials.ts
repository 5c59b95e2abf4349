import type { Operation } from '../../contract/operation.ts';

/** Whether an operation lets nobody in without credentials that can be shown. */
export function asksCredentials({ security }: Operation): boolean {
  return (
    security.some((schemes) => schemes.length > 0 && schemes.every(({ kind }) => kind !== 'unjudged')) &&
    security.every((schemes) => schemes.length > 0)
  );
}
