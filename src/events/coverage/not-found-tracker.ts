import { isTrusted } from '../../check/classify/request.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';

/** Finds the operations with path parameters that only ever returned 404 to a trusted request. */
export function createNotFoundTracker(): {
  readonly read: (judged: CheckedExchange) => void;
  /** Returns for each operation with evidence whether a trusted request was answered with less than 400. */
  readonly found: () => ReadonlyMap<string, boolean>;
} {
  const isFound = new Map<string, boolean>();
  return {
    read({ operation, request, answer }) {
      const isTemplated = operation?.path.segments.some(({ kind }) => kind !== 'literal') ?? false;
      if (operation === undefined || !isTemplated || !isTrusted(request) || answer.kind === 'none') return;
      const { status } = answer.response;
      // A rejection for another reason is no evidence about the path.
      if (status === 404 || status < 400) {
        isFound.set(operation.id, (isFound.get(operation.id) ?? false) || status < 400);
      }
    },
    found: () => isFound,
  };
}
