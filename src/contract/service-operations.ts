import type { Operation } from './contract.ts';
import { isSafeMethod } from '../http/message.ts';

/**
 * Returns whether an operation affects the whole service, like `POST /shutdown`: it changes something and has no item
 * and no body. One with callbacks works for the client that it calls back. A run sends one plain request to it, after
 * everything else.
 */
export function actsOnService({ method, kind, path, requestBody, callbacks }: Operation): boolean {
  return (
    !isSafeMethod(method) &&
    kind.kind === 'sample' &&
    requestBody === undefined &&
    callbacks === undefined &&
    path.segments.every((segment) => segment.kind === 'literal')
  );
}
