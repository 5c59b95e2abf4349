import type { Operation } from '../contract/contract.ts';
import type { ItemTally } from '../events/events.ts';
import { type Answer, type HttpRequest, isSafeMethod } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isSuccessStatus } from '../http/status.ts';

/** Counts the items that requests create, and stops them at a limit. */
export interface CreateLimit {
  readonly tally: ItemTally;
  /** Returns why no request that may create an item is sent now; undefined if one may be sent. */
  whyNot(): string | undefined;
  /**
   * Reserves an item for a request that may create one. It waits while the outcome of pending requests decides whether
   * one is left. The returned function records the answer; undefined if the request was not sent.
   *
   * @returns undefined if the limit is reached; then the request must not be sent
   */
  reserve(
    request: Pick<HttpRequest, 'method' | 'target'>,
    operation: Operation | undefined,
  ): Promise<((answer: Answer | undefined) => void) | undefined>;
  noteDeleted(): void;
}

/**
 * Returns whether a request creates an item if the service accepts it: `perhaps` if the document does not show what a
 * POST or PUT does.
 */
function mayCreate(
  { method }: Pick<HttpRequest, 'method'>,
  operation: Operation | undefined,
): 'item' | 'perhaps' | undefined {
  if (isSafeMethod(method)) return undefined;
  const kind = operation?.kind;
  if (kind === undefined) return method === 'POST' || method === 'PUT' ? 'perhaps' : undefined;
  if (kind.kind === 'sample') return method === 'POST' ? 'perhaps' : undefined;
  if (kind.kind === 'replace') {
    return kind.creates && kind.resource.kind === 'collection' ? 'item' : undefined;
  }
  return kind.kind === 'create' ? 'item' : undefined;
}

/** Returns what an answer shows of an item: a client error, 501 or 503 means that none was created. */
function outcomeOf(answer: Answer | undefined): 'created' | 'perhaps' | 'none' {
  if (answer === undefined || answer.kind === 'unreachable') return 'none';
  if (answer.kind !== 'response') return 'perhaps';
  const { status } = answer.response;
  if (isSuccessStatus(status)) return 'created';
  return (status >= 400 && status < 500) || status === 501 || status === 503 ? 'none' : 'perhaps';
}

/**
 * Creates the limit of a run.
 *
 * @param most - the maximum number of items; Infinity only counts
 * @param isMade - returns whether the item at a path was created by the run; a PUT then replaces it
 */
export function createCreateLimit(
  most: number,
  isMade: (path: string) => boolean = () => false,
): CreateLimit {
  const tally = { created: 0, perhaps: 0, deleted: 0 };
  let pending = 0;
  let waiting: (() => void)[] = [];
  const isSpent = (): boolean => tally.created + tally.perhaps >= most;
  return {
    tally,
    whyNot: () => (isSpent() ? `not sent, because of --max-creates ${most}` : undefined),
    async reserve(request, operation) {
      const kind = mayCreate(request, operation);
      if (kind === undefined || (operation?.kind.kind === 'replace' && isMade(pathOf(request.target)))) {
        return () => undefined;
      }
      while (!isSpent() && tally.created + tally.perhaps + pending >= most) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      if (isSpent()) return undefined;
      pending += 1;
      return (answer) => {
        pending -= 1;
        const outcome = outcomeOf(answer);
        if (outcome !== 'none') tally[outcome === 'created' && kind === 'item' ? 'created' : 'perhaps'] += 1;
        const woken = waiting;
        waiting = [];
        woken.forEach((wake) => wake());
      };
    },
    noteDeleted() {
      tally.deleted += 1;
    },
  };
}
