import { buildRequest } from '../arbitrary/request.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { joinWords } from '../errors/suggest.ts';
import { isSafeMethod } from '../http/message.ts';
import { NoItem } from '../session/items.ts';
import type { RunMemory } from '../session/memory.ts';
import type { Sender, SessionRecord } from '../session/send-case.ts';
import { cannotJudge } from '../session/throttle.ts';

/** The number of plain requests without a response that show that the whole service hangs: one may be slow. */
const enough = 2;

/** Finds out after a request without a response whether the whole service hangs. */
export interface HangWatch {
  /** Names the operations whose plain requests were answered. Before that, and without any, every check passes. */
  readonly start: (answered: readonly Operation[]) => void;
  /**
   * Returns at once if a request that was sent well after the hanging one got a response. Otherwise it sends plain
   * requests until one does.
   * @throws ClocheError CANNOT_JUDGE if none does
   */
  readonly check: (hung: CheckedExchange) => Promise<void>;
}

/** The run that is watched. */
interface WatchedRun {
  readonly settings: { readonly name: string };
  readonly memory: RunMemory;
  readonly isStopped: () => boolean;
  readonly takeAway: (records: readonly SessionRecord[], sender: Sender) => Promise<void>;
}

/** Creates the watch of a run. @param sender - sends its plain requests */
export function createHangWatch(run: WatchedRun, sender: Sender): HangWatch {
  const { memory, settings } = run;
  let answered: readonly Operation[] = [];
  /** The requests under way; after its failure, every later check fails with the same error. */
  let probing: Promise<void> | undefined;

  async function probe(hung: CheckedExchange, hungAt: number): Promise<void> {
    const startedAt = performance.now();
    const unanswered: string[] = [];
    for (const operation of orderProbes(answered, hung.operation)) {
      const session = sender.open();
      try {
        await session.send(buildRequest(operation), session.openIdContext());
      } catch (error) {
        if (!(error instanceof NoItem)) throw error;
      }
      const { request, answer } = session.records.at(-1)?.judged.exchange ?? {};
      const isAnswered =
        memory.answeredFrom > hungAt || (answer !== undefined && answer.kind !== 'timed-out');
      if (isAnswered || run.isStopped()) {
        await run.takeAway(session.records, sender);
        return;
      }
      if (request !== undefined) unanswered.push(`${request.method} ${request.target}`);
      if (unanswered.length === enough) break;
    }
    if (unanswered.length < enough) return;
    memory.isGone = true;
    memory.brokenOff = memory.brokenOff.filter(({ at }) => at < startedAt);
    const [first = hung] = memory.brokenOff
      .toSorted((left, right) => left.at - right.at)
      .map(({ judged }) => judged);
    const { method, target } = first.exchange.request;
    const names = [...new Set(unanswered)];
    const plain = names.length === 1 ? 'a plain request, was answered' : 'plain requests, were answered';
    throw cannotJudge(
      settings.name,
      `it hangs since ${method} ${target}: ${joinWords(names, 'and')}, ${plain} before, and not in time after it`,
      'Fix the hang first, or give it more time with --timeout',
    );
  }

  return {
    start: (operations) => void (answered = operations),
    async check(hung) {
      // Requests that are sent together may arrive in another order, and the last of them hang.
      const hungAt = performance.now() - hung.exchange.durationMs / 2;
      if (memory.answeredFrom > hungAt || run.isStopped()) return;
      probing ??= probe(hung, hungAt).then(() => void (probing = undefined));
      await probing;
    },
  };
}

/** Orders operations, each listed twice: those first that need no item, are not the one that hung, and change nothing. */
function orderProbes(answered: readonly Operation[], hung: Operation | undefined): readonly Operation[] {
  const cost = (operation: Operation): number =>
    operation.items.length * 4 + Number(operation === hung) * 2 + Number(!isSafeMethod(operation.method));
  const ordered = answered.toSorted((left, right) => cost(left) - cost(right));
  return [...ordered, ...ordered];
}
