import type { Operation } from '../contract/contract.ts';
import { isSafeMethod } from '../http/message.ts';

/**
 * Returns whether an operation acts on the service as a whole, as `POST /shutdown` does: it changes something, names no item and takes
 * no body. A run sends one plain request to it, after everything else.
 */
export function actsOnService({ method, kind, path, requestBody }: Operation): boolean {
  return (
    !isSafeMethod(method) &&
    kind.kind === 'sample' &&
    requestBody === undefined &&
    path.segments.every((segment) => segment.kind === 'literal')
  );
}
