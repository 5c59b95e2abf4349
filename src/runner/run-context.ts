import { type Finding, findingId } from '../check/finding.ts';
import type { CheckContext, CheckedExchange } from '../check/classify/subject.ts';
import type { UnsentCause } from '../events/coverage/explain.ts';
import { selectTargets } from './target-operations.ts';
import { createNotFoundTracker } from '../events/coverage/not-found-tracker.ts';
import { createCoverageRecorder } from '../events/coverage/recorder.ts';
import {
  type ItemTally,
  type LeftItem,
  lookUp,
  type OperationCoverage,
  type RunFinding,
  type RunItems,
} from '../events/events.ts';
import { OperationLatencies } from '../events/latency.ts';
import { createFindingLedger, type FindingLedger } from '../events/ledger.ts';
import { isStaleConnectionDrop } from '../http/connect.ts';
import { otherCredentials } from '../session/given-headers.ts';
import { createKeyAllocator } from '../session/keys.ts';
import type { RunMemory } from '../session/memory.ts';
import type { CleanUp } from '../session/clean-up.ts';
import { type OpenService, openService } from '../session/open-service.ts';
import { Sender, type Sending, type SessionRecord } from '../session/send-case.ts';
import { type RunSettings } from '../session/target.ts';
import { mayComeOfState, neededRequests } from './confirm.ts';
import { forecast } from './forecast.ts';
import { createHangWatch, type HangWatch } from './hang-watch.ts';
import { namePlaces } from './name-places.ts';
import { ReferenceService } from './parity/reference-service.ts';
import type { PlannedProperty } from './plan.ts';
import type { PropertyFinding } from './search.ts';

/** A finding in the ledger, with the request that shows it. */
export interface TakenFinding {
  readonly planned: PlannedProperty;
  readonly found: PropertyFinding;
  readonly shown: SessionRecord;
}

/** The maximum time of a case to put back a singleton, in milliseconds. */
const longestPutMs = 2_000;

/** The maximum duration of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Returns the part of a limited time for deleting created items and putting back singletons, in milliseconds. */
export function cleaningTime({ contract, maxTimeMs, isMock, keep, unsafeMethods }: RunSettings): number {
  const cleans = contract.operations.some(
    ({ kind }) =>
      (!keep && kind.kind === 'delete') ||
      (unsafeMethods && kind.kind !== 'sample' && kind.resource.kind === 'singleton'),
  );
  return isMock || maxTimeMs === Infinity || !cleans ? 0 : Math.min(3_000, maxTimeMs / 10);
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
 * A run in progress: the state that its properties share, such as ids, memory, the rate, and the ledger of findings.
 * Its time starts at `startedAt`, in milliseconds of `performance.now`.
 */
export class OpenRun {
  readonly settings: RunSettings;
  readonly ledger: FindingLedger = createFindingLedger();
  readonly memory: RunMemory;
  readonly context: CheckContext;
  /** The reference service, if the run compares two services. */
  readonly referenceService: ReferenceService | undefined;
  /** The numbers of requests with a response, of responses that asked to wait, and of cases over the create limit. */
  readonly tally = { requests: 0, waits: 0, unmade: 0 };
  /** The valid bodies that were rejected, with their findings. */
  readonly constraints: TakenFinding[] = [];
  /** The responses in which the services differ, with their findings. */
  readonly differences: TakenFinding[] = [];
  readonly cleanUp: CleanUp;
  readonly latencies: OperationLatencies = new OperationLatencies();
  readonly hangs: HangWatch;
  /** The items that stay after the run. */
  readonly left: LeftItem[] = [];
  /** The maximum number of requests, without shrinking; 0 until it is planned. */
  planned = 0;
  readonly #startedAt: number;
  readonly #signal: AbortSignal | undefined;
  readonly #service: OpenService;
  readonly #renderer: Sender;
  readonly #notFound = createNotFoundTracker();
  readonly #coverage: ReturnType<typeof createCoverageRecorder>;
  #allocated = 1;
  #reserved = 0;
  #answeringMs = 0;
  #isOutOfTime = false;
  #isForecast = false;
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
    this.#renderer = new Sender(this.#service);
    this.cleanUp = this.#renderer.cleanUp;
    this.#coverage = createCoverageRecorder(contract);
    const plainly = { suite: 'preflight', property: 'preflight', isProbe: true };
    this.hangs = createHangWatch(this, this.openSender(plainly));
    this.referenceService = against && new ReferenceService(settings, against, allocator);
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

  /** Returns the items of the run in the service, of two services in both; undefined in process. */
  items(): RunItems | undefined {
    if (this.settings.isMock) return undefined;
    const tallies = [this.#service.creates.tally, ...(this.referenceService?.items ?? [])];
    const sum = (name: keyof ItemTally): number => tallies.reduce((total, tally) => total + tally[name], 0);
    return {
      created: sum('created'),
      perhaps: sum('perhaps'),
      deleted: sum('deleted'),
      left: this.left,
    };
  }

  /** Returns the coverage of the contract so far. */
  coverage(): readonly OperationCoverage[] {
    const excluded = new Set(this.settings.excluded.map(({ id }) => id));
    const leftOut = new Map(
      selectTargets(this.settings).leftOut.flatMap(({ why, operations }) =>
        operations.map((operation) => [operation, why] as const),
      ),
    );
    const whyUnsent = this.#whyUnsent();
    return this.#coverage
      .conclude(this.#notFound.found(), (operation) => leftOut.get(operation) ?? whyUnsent)
      .filter(({ operation }) => !excluded.has(operation));
  }

  #whyUnsent(): UnsentCause {
    if (this.#isOutOfTime) return 'time';
    if (this.tally.unmade > 0) return 'creates';
    return this.settings.shard === undefined ? undefined : 'shard';
  }

  /**
   * Puts back the singletons that some requests of a sender changed, and deletes the items that they created, except
   * with `keep` or for a mock. The end of the run does so if it is stopped.
   */
  async takeAway(records: readonly SessionRecord[], sender: Sender): Promise<void> {
    const { keep, isMock, against } = this.settings;
    if (this.memory.originals.size > 0 && !this.isStopped())
      await sender.cleanUp.putBack(AbortSignal.timeout(longestPutMs), records);
    // If two services are compared, both must contain the same items.
    if (keep || (isMock && against === undefined)) return;
    await sender.cleanUp.takeAway(records, () => this.isStopped());
  }

  isStopped(): boolean {
    const isLate = this.settings.maxTimeMs !== Infinity && performance.now() >= this.#endsAt();
    this.#isOutOfTime ||= isLate;
    const isOver = this.#bailed || this.settings.together?.isOver() === true;
    return isOver || isLate || this.#signal?.aborted === true;
  }

  /** Returns whether the run, or a part of it, was stopped because its time was over. */
  isOutOfTime(): boolean {
    return this.#isOutOfTime;
  }

  /** Returns whether the time of the run is limited, and easily enough for a number of concurrent requests. */
  isEnoughFor(requests: number): boolean {
    const { maxTimeMs, connections } = this.settings;
    const neededMs = (requests * this.#answerMs()) / connections;
    return maxTimeMs !== Infinity && neededMs < 0.75 * (this.#endsAt() - performance.now());
  }

  /**
   * Limits the following requests to a share of the run's time, 0 to 1, if that is limited. They end earlier if needed
   * to leave time for `reserved` sequential requests.
   */
  allocate(share: number, reserved: number): void {
    this.#allocated = share;
    this.#reserved = reserved;
  }

  /**
   * Opens a sender for the requests of a property; its exchanges are counted and reported.
   *
   * @param of.isCompared - whether its requests are also sent to the reference service, if there is one
   * @param of.isProbe - whether its requests find out if the service hangs, and must not wait for that
   */
  openSender(
    of: Pick<Sending, 'via' | 'waits'> & {
      readonly suite: string;
      readonly property: string;
      readonly isCompared?: boolean;
      readonly isProbe?: boolean;
    },
    onExchange?: (judged: CheckedExchange) => void,
  ): Sender {
    const { suite, property, isCompared = false, isProbe = false, ...how } = of;
    return new Sender(this.#service, {
      ...how,
      isOver: () => this.isStopped(),
      mirror: isCompared ? this.referenceService?.mirror : undefined,
      ...(isProbe ? {} : { afterHang: (judged) => this.hangs.check(judged) }),
      onJudged: (judged) => {
        this.tally.requests += 1;
        this.#answeringMs += judged.exchange.durationMs;
        onExchange?.(judged);
        judged.findings.forEach((finding) => this.ledger.count(finding));
        this.#notFound.read(judged);
        this.#coverage.read(judged);
        this.latencies.read(judged);
        this.#tellForecast();
        const startedAt = Date.now() - judged.exchange.durationMs;
        this.settings.emit({ kind: 'exchange', suite, property, judged, startedAt });
      },
    });
  }

  /**
   * Adds a finding to the ledger, unless its cause is known, the service may not be the cause, or the user excluded the
   * operation, which only creates what others need.
   */
  take(planned: PlannedProperty, found: PropertyFinding): void {
    const { finding, confirmed } = found;
    if (this.settings.excluded.some(({ id }) => id === finding.operation)) return;
    const made = isExcused(found) ? undefined : this.#toEntry(planned, found);
    if (made === undefined || !this.ledger.add(made.entry)) return;
    const taken = { planned, found, shown: made.shown };
    if (finding.check === 'undeclared-constraint') this.constraints.push(taken);
    if (finding.check === 'parity') this.differences.push(taken);
    const { emit, bail } = this.settings;
    emit({ kind: 'finding', finding: { ...made.entry, count: confirmed.seen + 1 } });
    if (!bail || finding.level !== 'violation' || made.entry.known !== undefined) return;
    this.#bailed = true;
    this.settings.together?.bailed();
  }

  /** Replaces the findings that a finding explains. */
  supersede(explained: readonly Finding[], planned: PlannedProperty, found: PropertyFinding): void {
    const entry = this.#toEntry(planned, found)?.entry;
    if (entry !== undefined && this.ledger.supersede(explained, entry)) {
      this.settings.emit({ kind: 'finding', finding: { ...entry, count: found.confirmed.seen + 1 } });
    }
  }

  /** @returns undefined if no recorded exchange shows it */
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

  /** Says once how long a run without a time limit will take, if it takes long. */
  #tellForecast(): void {
    const { maxTimeMs, emit } = this.settings;
    if (this.#isForecast || maxTimeMs !== Infinity) return;
    const text = forecast({
      startedAt: this.#startedAt,
      now: performance.now(),
      requests: this.tally.requests,
      most: this.planned,
    });
    this.#isForecast = text !== undefined;
    if (text !== undefined) emit({ kind: 'notice', text });
  }

  #answerMs(): number {
    return this.#answeringMs / Math.max(1, this.tally.requests);
  }

  /** Returns when requests must end. A slow service needs more of the time for deleting created items. */
  #endsAt(): number {
    const { maxTimeMs, connections } = this.settings;
    const cleaningMs = cleaningTime(this.settings);
    const deletes = cleaningMs === 0 ? 0 : Math.ceil(this.memory.made.size / connections);
    const workMs = maxTimeMs - Math.max(cleaningMs, deletes * this.#answerMs());
    const end = Math.min(workMs * this.#allocated, workMs - this.#reserved * this.#answerMs());
    // Half of the time is always available for requests, however slow the service is.
    return this.#startedAt + Math.max(end, (maxTimeMs * this.#allocated) / 2);
  }
}

/** Returns whether a finding was not reproduced and may not be a fault of the service. */
function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (mayComeOfState(finding, records) || finding.check === 'too-slow') {
    return confirmed.seen < confirmed.tried;
  }
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}
