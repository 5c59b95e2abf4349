import { type Finding, findingId } from '../check/finding.ts';
import type { CheckContext, CheckedExchange } from '../check/reading/subject.ts';
import { createNotFoundTracker } from '../events/coverage/not-found-tracker.ts';
import { createCoverageRecorder } from '../events/coverage/recorder.ts';
import { lookUp, type OperationCoverage, type RunFinding } from '../events/events.ts';
import { createFindingLedger, type FindingLedger } from '../events/ledger.ts';
import { isStaleConnectionDrop } from '../http/connect.ts';
import { otherCredentials } from '../session/given-headers.ts';
import { createKeyAllocator } from '../session/keys.ts';
import type { RunMemory } from '../session/memory.ts';
import { type OpenService, openService } from '../session/open-service.ts';
import { createSender, type Sender, type Sending, type SessionRecord } from '../session/send-case.ts';
import { type RunSettings } from '../session/target.ts';
import { mayComeOfState, neededRequests } from './confirm.ts';
import { namePlaces } from './name-places.ts';
import { type ReferenceService, createReferenceService } from './parity/reference-service.ts';
import type { PlannedProperty } from './plan.ts';
import type { PropertyFinding } from './search.ts';

/** A finding in the ledger, with the request that shows it. */
export interface TakenFinding {
  readonly planned: PlannedProperty;
  readonly found: PropertyFinding;
  readonly shown: SessionRecord;
}

/** What a timer can wait for, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Returns the part of a limited time for deleting created items, in milliseconds. */
export function cleaningTime({ contract, maxTimeMs, socketSend, keep }: RunSettings): number {
  const deletes = contract.operations.some(({ kind }) => kind.kind === 'delete');
  return socketSend === undefined || keep || maxTimeMs === Infinity || !deletes
    ? 0
    : Math.min(3_000, maxTimeMs / 10);
}

/** Aborts pending requests when the run is interrupted or its time is over; undefined if neither is possible. */
function stopSignal(settings: RunSettings, startedAt: number): AbortSignal | undefined {
  const { signal, maxTimeMs } = settings;
  if (maxTimeMs > longestTimer) return signal;
  const left = Math.max(0, startedAt + maxTimeMs - cleaningTime(settings) - performance.now());
  // In Node 20, a combined signal loses its timer, because nothing references the signal of the timer.
  const controller = new AbortController();
  setTimeout(() => controller.abort(), Math.ceil(left)).unref();
  if (signal?.aborted === true) controller.abort();
  signal?.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/**
 * A run under way: what its properties share, as ids, memory, the rate, and the ledger of findings. Its time is counted
 * from `startedAt`, in milliseconds of `performance.now`.
 */
export class OpenRun {
  readonly settings: RunSettings;
  readonly ledger: FindingLedger = createFindingLedger();
  readonly memory: RunMemory;
  readonly context: CheckContext;
  /** The other service, where the run compares two. */
  readonly referenceService: ReferenceService | undefined;
  /** Requests that were answered, and answers that asked to wait. */
  readonly tally = { requests: 0, waits: 0 };
  /** The valid bodies that were refused, with what each was found by. */
  readonly constraints: TakenFinding[] = [];
  /** What another service answers otherwise, with what each was found by. */
  readonly differences: TakenFinding[] = [];
  /** Deletes an item that the run made; gives whether it is gone. */
  readonly deleteItem: Sender['deleteItem'];
  readonly #startedAt: number;
  readonly #signal: AbortSignal | undefined;
  readonly #service: OpenService;
  readonly #renderer: Sender;
  readonly #notFound = createNotFoundTracker();
  readonly #coverage: ReturnType<typeof createCoverageRecorder>;
  #allotted = 1;
  #reserved = 0;
  #answeringMs = 0;
  #isOutOfTime = false;
  #bailed = false;

  constructor(given: RunSettings, startedAt: number) {
    const settings = { ...given, signal: stopSignal(given, startedAt) };
    const { contract, against, emit } = settings;
    const allocator = createKeyAllocator(settings.keys);
    this.settings = given;
    this.#startedAt = startedAt;
    this.#signal = settings.signal;
    this.#service = openService(settings, allocator, {
      wait: (status, ms) => {
        this.tally.waits += 1;
        emit({ kind: 'waiting', status, ms });
      },
      limited: (what, reason) => this.ledger.notChecked.push({ what, reason: `rate-limited: ${reason}` }),
    });
    this.memory = this.#service.memory;
    this.context = this.#service.context;
    this.#renderer = createSender(this.#service);
    this.deleteItem = this.#renderer.deleteItem;
    this.#coverage = createCoverageRecorder(contract);
    this.referenceService = against && createReferenceService(settings, against, allocator);
    if (
      this.#service.hasOtherCredentials &&
      contract.operations.some(({ security }) => security.length > 0)
    ) {
      this.ledger.notChecked.push({
        what: 'whether requests without credentials are rejected',
        reason: `each carries ${otherCredentials(settings).join(' and ')} from --header, which the document does not declare`,
      });
    }
  }

  /** The operations that only ever answered 404, though their credentials were good. */
  neverFound(): readonly string[] {
    return this.#notFound.neverFound();
  }

  /** What of the contract was exercised so far. */
  coverage(): readonly OperationCoverage[] {
    return this.#coverage.conclude(this.neverFound(), this.#isOutOfTime);
  }

  /** Deletes what some requests made through a sender ahead of the end of the run, unless it is to stay, or goes with a mock. */
  async takeAway(records: readonly SessionRecord[], sender: Sender): Promise<void> {
    const { keep, socketSend, against } = this.settings;
    // Where two services are compared, what is there is to be the same on both.
    if (keep || (socketSend === undefined && against === undefined)) return;
    await sender.takeAway(records, () => this.isStopped());
  }

  isStopped(): boolean {
    const isLate = this.settings.maxTimeMs !== Infinity && performance.now() >= this.#endsAt();
    this.#isOutOfTime ||= isLate;
    return this.#bailed || isLate || this.#signal?.aborted === true;
  }

  /** Whether it was stopped, or a part of it was, as its time was over. */
  isOutOfTime(): boolean {
    return this.#isOutOfTime;
  }

  /** Whether the run has a limited time, and what is left of it for what is under way is easily enough for so many requests, side by side. */
  isEnoughFor(requests: number): boolean {
    const { maxTimeMs, connections } = this.settings;
    const neededMs = (requests * this.#answerMs()) / connections;
    return maxTimeMs !== Infinity && neededMs < 0.75 * (this.#endsAt() - performance.now());
  }

  /**
   * Has what follows end by a share of the time of the run, 0 to 1, where that is limited, or earlier: so that the service
   * can still answer so many requests, one after the other.
   */
  allot(share: number, reserved: number): void {
    this.#allotted = share;
    this.#reserved = reserved;
  }

  /**
   * Opens what the requests of a property are sent through: its exchanges are counted and reported.
   *
   * @param of.isCompared - whether its requests go to the other service too, if there is one
   */
  openSender(
    of: Pick<Sending, 'via' | 'waits'> & {
      readonly suite: string;
      readonly property: string;
      readonly isCompared?: boolean;
    },
    onExchange?: (judged: CheckedExchange) => void,
  ): Sender {
    const { suite, property, isCompared = false, ...how } = of;
    return createSender(this.#service, {
      ...how,
      isOver: () => this.isStopped(),
      mirror: isCompared ? this.referenceService?.mirror : undefined,
      onJudged: (judged) => {
        this.tally.requests += 1;
        this.#answeringMs += judged.exchange.durationMs;
        onExchange?.(judged);
        judged.findings.forEach((finding) => this.ledger.count(finding));
        this.#notFound.read(judged);
        this.#coverage.read(judged);
        const startedAt = Date.now() - judged.exchange.durationMs;
        this.settings.emit({ kind: 'exchange', suite, property, judged, startedAt });
      },
    });
  }

  /** Takes a finding into the ledger, unless its cause is known or it may be no fault of the service. */
  take(planned: PlannedProperty, found: PropertyFinding): void {
    const { finding, confirmed } = found;
    const made = isExcused(found) ? undefined : this.#toEntry(planned, found);
    if (made === undefined || !this.ledger.add(made.entry)) return;
    const taken = { planned, found, shown: made.shown };
    if (finding.check === 'undeclared-constraint') this.constraints.push(taken);
    if (finding.check === 'parity') this.differences.push(taken);
    const { emit, bail } = this.settings;
    emit({ kind: 'finding', finding: { ...made.entry, count: confirmed.seen + 1 } });
    this.#bailed ||= bail && finding.level === 'violation' && made.entry.known === undefined;
  }

  /** Puts a finding in the place of those that it explains. */
  supersede(explained: readonly Finding[], planned: PlannedProperty, found: PropertyFinding): void {
    const entry = this.#toEntry(planned, found)?.entry;
    if (entry !== undefined && this.ledger.supersede(explained, entry)) {
      this.settings.emit({ kind: 'finding', finding: { ...entry, count: found.confirmed.seen + 1 } });
    }
  }

  /** @returns undefined where nothing was recorded that shows it */
  #toEntry(planned: PlannedProperty, found: PropertyFinding) {
    const { finding, confirmed, path } = found;
    const needed = neededRequests(found, this.memory.sentTexts);
    if (needed === undefined) return undefined;
    const { records, shown, sideBySide, outcomes, earlier } = needed;
    const id = findingId(finding);
    const { requests, taken } = this.#renderer.renderFresh(records);
    const elsewhere = finding.parity && this.referenceService?.renderFresh(records).requests;
    const entry: Omit<RunFinding, 'count'> = {
      id,
      ...lookUp(this.settings.baseline, id),
      finding: namePlaces(finding, shown.judged),
      suite: planned.suite,
      property: planned.property.id,
      exchange: shown.judged,
      requests,
      ...(taken.length === 0 ? {} : { taken }),
      ...(elsewhere && { elsewhere }),
      ...(sideBySide ? { sideBySide } : {}),
      ...(outcomes === undefined ? {} : { outcomes }),
      ...(earlier === undefined ? {} : { earlier }),
      replay: { seed: this.settings.seed, path: `${planned.suite}/${planned.property.id}:${path}` },
      confirmed,
    };
    return { entry, shown };
  }

  #answerMs(): number {
    return this.#answeringMs / Math.max(1, this.tally.requests);
  }

  /** Later, with a service that is slow, there is less left of the time, as what was made is taken away at its end. */
  #endsAt(): number {
    const { maxTimeMs, connections } = this.settings;
    const cleaningMs = cleaningTime(this.settings);
    const deletes = cleaningMs === 0 ? 0 : Math.ceil(this.memory.made.size / connections);
    const workMs = maxTimeMs - Math.max(cleaningMs, deletes * this.#answerMs());
    const end = Math.min(workMs * this.#allotted, workMs - this.#reserved * this.#answerMs());
    // However slow it is, half of the time is for what goes before.
    return this.#startedAt + Math.max(end, (maxTimeMs * this.#allotted) / 2);
  }
}

/** Returns whether a finding was not reproduced and may not be a fault of the service. */
function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (mayComeOfState(finding, records)) return confirmed.seen < confirmed.tried;
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}
