import { type KeyPlaceholder, keySlots, type RequestCase } from '../../arbitrary/request-case.ts';
import { isAccepted, statusOf } from '../../check/classify/answer.ts';
import { isPlainOrNone } from '../../check/classify/request.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import type { ItemTally } from '../../events/events.ts';
import { NoItem } from '../../session/items.ts';
import type { KeyAllocator } from '../../session/keys.ts';
import type { RunMemory } from '../../session/memory.ts';
import { openService, type OpenService } from '../../session/open-service.ts';
import { Sender } from '../../session/send-case.ts';
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

/** The reference service of a run that compares two services. */
export class ReferenceService {
  /** The items that the run created there and did not delete. */
  readonly made: RunMemory['made'];
  readonly cleanUp: Sender['cleanUp'];
  readonly renderFresh: Sender['renderFresh'] = (records) => this.#sender.renderFresh(records);
  /** The numbers of its items; empty if it is in process. */
  readonly items: readonly ItemTally[];
  /** The number of compared pairs of responses, of differing pairs, and of requests that it hung on. */
  readonly tally = { compared: 0, differing: 0, hangs: 0 };
  readonly #run: RunSettings;
  readonly #settings: RunSettings;
  readonly #against: Against;
  readonly #service: OpenService;
  readonly #sender: Sender;
  /**
   * Which services accepted each id. One of them may already store an id that a case chose. An id that only one of them
   * accepted repeats a known difference.
   */
  readonly #pasts = new WeakMap<IdContext, Map<string, Past>>();
  /** The statuses of the service under test for plain requests with credentials that are not good. */
  readonly #rejectedStatus = new Map<string, number>();

  constructor(run: RunSettings, against: Against, allocator: KeyAllocator) {
    this.#run = run;
    this.#settings = { ...run, credentials: undefined, users: undefined, ...against };
    this.#against = against;
    this.#service = openService(this.#settings, allocator, {
      wait: (status, ms) => run.emit({ kind: 'waiting', status, ms }),
    });
    this.#sender = new Sender(this.#service);
    this.made = this.#service.memory.made;
    this.cleanUp = this.#sender.cleanUp;
    this.items = against.names.other === 'the mock' ? [] : [this.#service.creates.tally];
  }

  /** Checks whether it can be tested. @throws ClocheError CANNOT_JUDGE if it cannot */
  async preflight(): Promise<void> {
    const session = this.#sender.open();
    await preflight(session, {
      settings: this.#settings,
      memory: this.#service.memory,
      isStopped: this.#isAborted,
    });
    if (!this.#run.keep) await this.#sender.cleanUp.takeAway(session.records, this.#isAborted);
  }

  /**
   * Sends it the same request with the same ids. The returned function compares the responses of both services.
   * @throws ClocheError CANNOT_JUDGE if it is unreachable, or hangs repeatedly
   */
  readonly mirror = async (
    request: RequestCase,
    keys: IdContext,
  ): Promise<(mine: CheckedExchange) => CheckedExchange> => {
    const other = await this.#sender.open().send(request, keys);
    if (other.exchange.answer.kind === 'timed-out') this.#countHang(request);
    return (mine) => this.#compare(request, keys, [mine, other]);
  };

  /** Runs whole cases of a property with it, and compares their outcomes; throws as {@link mirror} does. */
  compareCase(property: Property): NonNullable<PropertyRun['compare']> {
    const { policy, enforced, keep } = this.#run;
    const { context } = this.#service;
    return async (testCase, mine, concluded) => {
      const session = this.#sender.open();
      const other = await property.run(testCase, session).catch((error: unknown) => {
        if (error instanceof NoItem) return undefined;
        throw error;
      });
      if (property.takesAway === true && !keep) {
        await this.#sender.cleanUp.takeAway(session.records, this.#isAborted);
      }
      const hung = other?.find(({ exchange: { answer } }) => answer.kind === 'timed-out');
      if (hung !== undefined) this.#countHang(hung.exchange.request);
      // The outcome of an aborted or hanging case is incomplete.
      if (other === undefined || hung !== undefined || this.#isAborted() || mine.length === 0) {
        return concluded;
      }
      const found = compareTraces({
        mine,
        other,
        checks: property.traceChecks,
        concluded,
        context: { ...context, policy, enforced },
        otherContext: context,
        names: this.#against.names,
      });
      this.tally.compared += Math.min(mine.length, other.length);
      this.tally.differing += found.some(({ parity }) => parity !== undefined) ? 1 : 0;
      return found;
    };
  }

  readonly #isAborted = (): boolean => this.#run.signal?.aborted === true;

  #compare(request: RequestCase, keys: IdContext, pair: Pair): CheckedExchange {
    const [mine, other] = pair;
    const { answer, operation } = mine;
    const { names, policy, enforced } = this.#against;
    const credentials = `${operation?.id ?? ''} ${mine.request.credentials}`;
    const isPlain = isPlainOrNone(mine.request) && mine.request.invalidParameters.length === 0;
    if (isPlain && answer.kind === 'response') {
      this.#rejectedStatus.set(credentials, answer.response.status);
    }
    const mayCompare =
      this.#haveSameItems(request, keys, pair) &&
      !isPutOff(mine) &&
      !isPutOff(other) &&
      !isOfWhatIsThere(mine, other) &&
      // OPTIONS belongs to CORS, and HEAD to GET (RFC 9110 §9.3.2).
      (operation !== undefined || !['OPTIONS', 'HEAD'].includes(mine.exchange.request.method)) &&
      other.exchange.answer.kind !== 'timed-out' &&
      !this.#isAborted();
    this.#noteIds(request, keys, pair);
    if (!mayCompare) return mine;
    const rejectedStatus = this.#rejectedStatus.get(credentials);
    const { judged, differs } = judgeParity({ mine, other, names, policy, enforced, rejectedStatus });
    this.tally.compared += 1;
    this.tally.differing += differs ? 1 : 0;
    return judged;
  }

  /** Returns whether two responses can be compared: stored items cannot be the reason for a difference. */
  #haveSameItems(request: RequestCase, keys: IdContext, [mine, other]: Pair): boolean {
    const { key, body } = mine.request;
    const slots = keySlots(request);
    const pasts = slots.map((slot) => this.#pasts.get(keys)?.get(nameOf(slot)));
    if (pasts.includes('one')) return false;
    if (key === 'none' || key === 'allocated' || body.kind === 'invalid' || body.kind === 'malformed') {
      return true;
    }
    // Other checks report that a rejected id stays in use, and that two ids collide.
    if (key === 'colliding') return isAccepted(mine.answer) || !isAccepted(other.answer);
    return key === 'sent' && slots.length > 0 && pasts.every((past) => past === 'both');
  }

  /** Records which services accepted the ids of a request. */
  #noteIds(request: RequestCase, keys: IdContext, pair: Pair): void {
    const taken = pair.filter(({ answer }) => isAccepted(answer)).length;
    if (taken === 0) return;
    const known = this.#pasts.get(keys) ?? new Map<string, Past>();
    this.#pasts.set(keys, known);
    for (const name of keySlots(request).map(nameOf)) {
      if (taken === 2 && known.get(name) !== 'one') known.set(name, 'both');
      else if (taken === 2 || !known.has(name)) known.set(name, 'one');
    }
  }

  /** @throws ClocheError CANNOT_JUDGE if it hangs repeatedly */
  #countHang({ method, target }: Pick<RequestCase, 'method' | 'target'>): void {
    if (this.#isAborted()) return;
    this.tally.hangs += 1;
    if (this.tally.hangs >= mostHangs) {
      throw cannotJudge(
        this.#against.name,
        `it left ${this.tally.hangs} requests unanswered, the last of them ${method} ${target}`,
        'Test it alone to find the smallest such request, and fix the hang first',
      );
    }
  }
}
