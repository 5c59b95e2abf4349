import type { Judged } from '../check/judged.ts';

/** Learns from exchanges which operations were never reached. */
export interface WhereaboutsReader {
  readonly read: (judged: Judged) => void;
  /** The ids of operations under a path with parameters that only ever answered 404 to a trusted request. */
  readonly neverFound: () => readonly string[];
}

/** Creates a reader that has seen nothing yet. */
export function createWhereaboutsReader(): WhereaboutsReader {
  const isFound = new Map<string, boolean>();
  return {
    read({ operation, request, answer }) {
      const isTrusted = request.credentials === 'good' || request.credentials === 'not-required';
      const isTemplated = operation?.path.segments.some(({ kind }) => kind !== 'literal') ?? false;
      if (operation === undefined || !isTemplated || !isTrusted || answer.kind === 'none') {
        return;
      }
      const { status } = answer.response;
      // A request that is refused for another reason says nothing of what its path names.
      if (status === 404 || status < 400) {
        isFound.set(operation.id, (isFound.get(operation.id) ?? false) || status < 400);
      }
    },
    neverFound: () => [...isFound].flatMap(([id, wasFound]) => (wasFound ? [] : [id])),
  };
}
