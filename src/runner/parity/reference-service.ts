import { type KeyPlaceholder, keySlots, type RequestCase } from '../../arbitrary/request-case.ts';
import { isAccepted, statusOf } from '../../check/classify/answer.ts';
import { isPlainOrNone } from '../../check/classify/request.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import type { ItemTally } from '../../events/events.ts';
import { NoItem } from '../../session/items.ts';
import type { KeyAllocator } from '../../session/keys.ts';
import type { RunMemory } from '../../session/memory.ts';
import { openService } from '../../session/open-service.ts';
import { type FreshRequests, type RenderedRecord, Sender } from '../../session/send-case.ts';
import type { IdContext } from '../../session/session.ts';
import type { RunSettings, Against } from '../../session/target.ts';
import { cannotJudge } from '../../session/throttle.ts';
import { preflight } from '../preflight.ts';
import type { PropertyRun } from '../search.ts';
import type { Property } from '../suite.ts';
import { judgeParity } from './attribute.ts';
import { compareTraces } from './traces.ts';

/** The services that accepted an id: both, or only one. Then their items differ. */
type Past = 'both' | 'one';

/** The exchanges of two services for one request. */
type Pair = readonly [mine: CheckedExchange, other: CheckedExchange];

function nameOf({ slot, class: kind, variant }: KeyPlaceholder): string {
  return `${slot} ${kind} ${variant}`;
}

/**
 * Tracks for each id whether two services may have the same items. One of them may already store an id that a case
 * chose. An id that only one of them accepted repeats a known difference.
 */
function createKeyHistory() {
  const bindings = new WeakMap<IdContext, Map<string, Past>>();
  return {
    /** Returns whether two responses can be compared: stored items cannot be the reason for a difference. */
    mayCompare(request: RequestCase, keys: IdContext, [mine, other]: Pair): boolean {
      const { key, body } = mine.request;
      const slots = keySlots(request);
      const pasts = slots.map((slot) => bindings.get(keys)?.get(nameOf(slot)));
      if (pasts.includes('one')) return false;
      if (key === 'none' || key === 'allocated' || body.kind === 'invalid' || body.kind === 'malformed') {
        return true;
      }
      // Other checks report that a rejected id stays in use, and that two ids collide.
      if (key === 'colliding') {
        return isAccepted(mine.answer) || !isAccepted(other.answer);
      }
      return key === 'sent' && slots.length > 0 && pasts.every((past) => past === 'both');
    },
    /** Records the results for the ids of a request. */
    note(request: RequestCase, keys: IdContext, pair: Pair): void {
      const taken = pair.filter(({ answer }) => isAccepted(answer)).length;
      if (taken === 0) return;
      const known = bindings.get(keys) ?? new Map<string, Past>();
      bindings.set(keys, known);
      for (const slot of keySlots(request)) {
        const isSame = taken === 2 && known.get(nameOf(slot)) !== 'one';
        if (taken === 2 || known.get(nameOf(slot)) === undefined) {
          known.set(nameOf(slot), isSame ? 'both' : 'one');
        }
      }
    },
  };
}

/** The reference service of a run that compares two services. */
export interface ReferenceService {
  /**
   * Sends it the same request with the same ids. The returned function compares the responses of both services.
   * @throws ClocheError CANNOT_JUDGE if it is unreachable, or hangs repeatedly
   */
  readonly mirror: (
    request: RequestCase,
    keys: IdContext,
  ) => Promise<(mine: CheckedExchange) => CheckedExchange>;
  /** Runs whole cases of a property with it, and compares their outcomes; throws as `mirror` does. */
  readonly compareCase: (property: Property) => NonNullable<PropertyRun['compare']>;
  /** The items that the run created there and did not delete. */
  readonly made: RunMemory['made'];
  readonly cleanUp: Sender['cleanUp'];
  /** The numbers of its items; empty if it is in process. */
  readonly items: readonly ItemTally[];
  /** Checks whether it can be tested. @throws ClocheError CANNOT_JUDGE if it cannot */
  preflight(): Promise<void>;
  /** Renders the requests of some records for it, with fresh ids. */
  renderFresh(records: readonly RenderedRecord[]): FreshRequests;
  /** The number of compared pairs of responses, of differing pairs, and of requests that it hung on. */
  readonly tally: { readonly compared: number; readonly differing: number; readonly hangs: number };
}

/** The maximum number of hangs: each costs a timeout, and shrinking repeats a case many times. */
const mostHangs = 3;

/** Returns whether a response only delays the request, and so is no evidence about it. */
function isPutOff(judged: CheckedExchange): boolean {
  return [429, 503].includes(statusOf(judged));
}

/** Returns whether two responses may depend on existing items, which are no evidence about a service. */
function isOfWhatIsThere(mine: CheckedExchange, other: CheckedExchange): boolean {
  const statuses = [statusOf(mine), statusOf(other)];
  return mine.operation !== undefined && mine.operation.kind.kind !== 'create' && statuses.includes(404);
}

/** Opens the reference service of a run that compares two services. */
export function createReferenceService(
  run: RunSettings,
  against: Against,
  allocator: KeyAllocator,
): ReferenceService {
  const { names, policy, enforced, name } = against;
  const settings: RunSettings = { ...run, credentials: undefined, users: undefined, ...against };
  const service = openService(settings, allocator, {
    wait: (status, ms) => run.emit({ kind: 'waiting', status, ms }),
  });
  const sender = new Sender(service);
  const isAborted = (): boolean => run.signal?.aborted === true;
  const history = createKeyHistory();
  /** The statuses of the service under test for plain requests with credentials that are not good. */
  const rejectedStatus = new Map<string, number>();
  const tally = { compared: 0, differing: 0, hangs: 0 };

  function compare(request: RequestCase, keys: IdContext, pair: Pair): CheckedExchange {
    const [mine, other] = pair;
    const { answer, operation } = mine;
    const credentials = `${operation?.id ?? ''} ${mine.request.credentials}`;
    const isPlain = isPlainOrNone(mine.request) && mine.request.invalidParameters.length === 0;
    if (isPlain && answer.kind === 'response') {
      rejectedStatus.set(credentials, answer.response.status);
    }
    const mayCompare =
      history.mayCompare(request, keys, pair) &&
      !isPutOff(mine) &&
      !isPutOff(other) &&
      !isOfWhatIsThere(mine, other) &&
      // OPTIONS belongs to CORS, and HEAD to GET (RFC 9110 §9.3.2).
      (operation !== undefined || !['OPTIONS', 'HEAD'].includes(mine.exchange.request.method)) &&
      other.exchange.answer.kind !== 'timed-out' &&
      run.signal?.aborted !== true;
    history.note(request, keys, pair);
    if (!mayCompare) return mine;
    const { judged, differs } = judgeParity({
      mine,
      other,
      names,
      policy,
      enforced,
      rejectedStatus: rejectedStatus.get(credentials),
    });
    tally.compared += 1;
    tally.differing += differs ? 1 : 0;
    return judged;
  }

  /** @throws ClocheError CANNOT_JUDGE if it hangs repeatedly */
  function countHang({ method, target }: Pick<RequestCase, 'method' | 'target'>): void {
    if (run.signal?.aborted === true) return;
    tally.hangs += 1;
    if (tally.hangs >= mostHangs) {
      throw cannotJudge(
        name,
        `it left ${tally.hangs} requests unanswered, the last of them ${method} ${target}`,
        'Test it alone to find the smallest such request, and fix the hang first',
      );
    }
  }

  return {
    tally,
    made: service.memory.made,
    cleanUp: sender.cleanUp,
    items: names.other === 'the mock' ? [] : [service.creates.tally],
    compareCase: (property) => async (testCase, mine, concluded) => {
      const session = sender.open();
      const other = await property.run(testCase, session).catch((error: unknown) => {
        if (error instanceof NoItem) return undefined;
        throw error;
      });
      if (property.takesAway === true && !run.keep) await sender.cleanUp.takeAway(session.records, isAborted);
      const hung = other?.find(({ exchange: { answer } }) => answer.kind === 'timed-out');
      if (hung !== undefined) countHang(hung.exchange.request);
      // The outcome of an aborted or hanging case is incomplete.
      if (other === undefined || hung !== undefined || run.signal?.aborted === true || mine.length === 0) {
        return concluded;
      }
      const found = compareTraces({
        mine,
        other,
        checks: property.traceChecks,
        concluded,
        context: { ...service.context, policy: run.policy, enforced: run.enforced },
        otherContext: service.context,
        names,
      });
      tally.compared += Math.min(mine.length, other.length);
      tally.differing += found.some(({ parity }) => parity !== undefined) ? 1 : 0;
      return found;
    },
    renderFresh: (records) => sender.renderFresh(records),
    async preflight() {
      const session = sender.open();
      await preflight(session, { settings, memory: service.memory, isStopped: isAborted });
      if (!run.keep) await sender.cleanUp.takeAway(session.records, isAborted);
    },
    async mirror(request, keys) {
      const other = await sender.open().send(request, keys);
      if (other.exchange.answer.kind === 'timed-out') countHang(request);
      return (mine) => compare(request, keys, [mine, other]);
    },
  };
}
