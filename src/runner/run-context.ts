import { type Finding, findingId } from '../check/finding.ts';
import type { CheckContext, CheckedExchange } from '../check/reading/subject.ts';
import { createNotFoundTracker } from '../events/coverage/not-found-tracker.ts';
import { createCoverageRecorder } from '../events/coverage/recorder.ts';
import { lookUp, type OperationCoverage, type RunFinding } from '../events/events.ts';
import { createFindingLedger, type FindingLedger } from '../events/ledger.ts';
import { isStaleConnectionDrop } from '../http/connect.ts';
import { otherCredentials } from '../session/given-headers.ts';
import { createKeyAllocator } from '../session/keys.ts';
import type { MadeItem } from '../session/made-items.ts';
import type { RunMemory } from '../session/memory.ts';
import { openService } from '../session/open-service.ts';
import { createSender, type Sender, type SessionRecord } from '../session/send-case.ts';
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

/** A run under way: what its properties share. */
export interface OpenRun {
  readonly settings: RunSettings;
  readonly ledger: FindingLedger;
  readonly memory: RunMemory;
  readonly context: CheckContext;
  /** The other service, where the run compares two. */
  readonly referenceService: ReferenceService | undefined;
  /** Requests that were answered, and answers that asked to wait. */
  readonly tally: { readonly requests: number; readonly waits: number };
  /** The valid bodies that were refused, with what each was found by. */
  readonly constraints: readonly TakenFinding[];
  /** What another service answers otherwise, with what each was found by. */
  readonly differences: readonly TakenFinding[];
  /** The operations that only ever answered 404, though their credentials were good. */
  neverFound(): readonly string[];
  /** What of the contract was exercised so far. */
  coverage(): readonly OperationCoverage[];
  /** Deletes an item that the run made; gives whether it is gone. */
  readonly deleteItem: (item: MadeItem, signal: AbortSignal) => Promise<boolean>;
  /** Deletes what some requests made through a sender ahead of the end of the run, unless it is to stay, or goes with a mock. */
  readonly takeAway: (records: readonly SessionRecord[], sender: Sender) => Promise<void>;
  isStopped(): boolean;
  /** Whether it was stopped, or a part of it was, as its time was over. */
  isOutOfTime(): boolean;
  /** Whether the run has a limited time, and what is left of it for what is under way is easily enough for so many requests, side by side. */
  isEnoughFor(requests: number): boolean;
  /**
   * Has what follows end by a share of the time of the run, 0 to 1, where that is limited, or earlier: so that the service
   * can still answer so many requests, one after the other.
   */
  allot(share: number, reserved: number): void;
  /** What the requests of a property are sent through: its exchanges are counted and reported. */
  openSender(
    of: {
      readonly suite: string;
      readonly property: string;
      readonly via?: 'client' | 'socket';
      readonly waits?: boolean;
      /** Whether its requests go to the other service too, where there is one. @defaultValue false */
      readonly isCompared?: boolean;
    },
    onExchange?: (judged: CheckedExchange) => void,
  ): Sender;
  /** Takes a finding into the ledger, unless its cause is known or it may be no fault of the service. */
  take(planned: PlannedProperty, found: PropertyFinding): void;
  /** Puts a finding in the place of those that it explains. */
  supersede(explained: readonly Finding[], planned: PlannedProperty, found: PropertyFinding): void;
}

/** What a timer can wait for, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** What of a limited time is left for taking away what the run made, in milliseconds. */
export function cleaningTime({ contract, maxTimeMs, socketSend, keep }: RunSettings): number {
  const deletes = contract.operations.some(({ kind }) => kind.kind === 'delete');
  return socketSend === undefined || keep || maxTimeMs === Infinity || !deletes
    ? 0
    : Math.min(3_000, maxTimeMs / 10);
}

/** Breaks off what is under way when the run is interrupted or its time is over; undefined where neither can be. */
function stopSignal(settings: RunSettings, startedAt: number): AbortSignal | undefined {
  const { signal, maxTimeMs } = settings;
  if (maxTimeMs > longestTimer) return signal;
  const left = Math.max(0, startedAt + maxTimeMs - cleaningTime(settings) - performance.now());
  // What Node combines of several signals is lost with the one of the timer, which nothing holds, in Node 20.
  const controller = new AbortController();
  setTimeout(() => controller.abort(), Math.ceil(left)).unref();
  if (signal?.aborted === true) controller.abort();
  signal?.addEventListener('abort', () => controller.abort(), { once: true });
  return controller.signal;
}

/**
 * Opens what the properties of a run share: keys, memory, the rate, and the ledger of findings. Its time is counted
 * from `startedAt`, in milliseconds of `performance.now`.
 */
export function openRun(given: RunSettings, startedAt: number): OpenRun {
  const settings = { ...given, signal: stopSignal(given, startedAt) };
  const { contract, against, baseline, emit, seed, signal } = settings;
  const tally = { requests: 0, waits: 0 };
  const allocator = createKeyAllocator(settings.keys);
  const ledger = createFindingLedger();
  const service = openService(settings, allocator, {
    wait(status, ms) {
      tally.waits += 1;
      emit({ kind: 'waiting', status, ms });
    },
    limited: (what, reason) => ledger.notChecked.push({ what, reason: `rate-limited: ${reason}` }),
  });
  const { memory } = service;
  const referenceService = against && createReferenceService(settings, against, allocator);
  if (service.hasOtherCredentials && contract.operations.some(({ security }) => security.length > 0)) {
    ledger.notChecked.push({
      what: 'whether requests without credentials are rejected',
      reason: `each carries ${otherCredentials(settings).join(' and ')} from --header, which the document does not declare`,
    });
  }
  const notFound = createNotFoundTracker();
  const coverage = createCoverageRecorder(contract);
  const renderer = createSender(service);
  const constraints: TakenFinding[] = [];
  const differences: TakenFinding[] = [];
  let allotted = 1;
  let reserved = 0;
  let answeringMs = 0;
  let isOutOfTime = false;
  let bailed = false;
  /** @returns undefined where nothing was recorded that shows it */
  function toEntry(planned: PlannedProperty, found: PropertyFinding) {
    const { finding, confirmed, path } = found;
    const needed = neededRequests(found, memory.sentTexts);
    if (needed === undefined) return undefined;
    const { records, shown, sideBySide, outcomes, earlier } = needed;
    const id = findingId(finding);
    const { requests, taken } = renderer.renderFresh(records);
    const entry: Omit<RunFinding, 'count'> = {
      id,
      ...lookUp(baseline, id),
      finding: namePlaces(finding, shown.judged),
      suite: planned.suite,
      property: planned.property.id,
      exchange: shown.judged,
      requests,
      ...(taken.length === 0 ? {} : { taken }),
      ...(finding.parity === undefined || referenceService === undefined
        ? {}
        : { elsewhere: referenceService.renderFresh(records).requests }),
      ...(sideBySide ? { sideBySide } : {}),
      ...(outcomes === undefined ? {} : { outcomes }),
      ...(earlier === undefined ? {} : { earlier }),
      replay: { seed, path: `${planned.suite}/${planned.property.id}:${path}` },
      confirmed,
    };
    return { entry, shown };
  }

  const answerMs = (): number => answeringMs / Math.max(1, tally.requests);

  /** Later, with a service that is slow, there is less left of the time, as what was made is taken away at its end. */
  function endsAt(): number {
    const { maxTimeMs, connections } = settings;
    const cleaningMs = cleaningTime(settings);
    const deletes = cleaningMs === 0 ? 0 : Math.ceil(memory.made.size / connections);
    const workMs = maxTimeMs - Math.max(cleaningMs, deletes * answerMs());
    const end = Math.min(workMs * allotted, workMs - reserved * answerMs());
    // However slow it is, half of the time is for what goes before.
    return startedAt + Math.max(end, (maxTimeMs * allotted) / 2);
  }

  function isStopped(): boolean {
    const isLate = settings.maxTimeMs !== Infinity && performance.now() >= endsAt();
    isOutOfTime ||= isLate;
    return bailed || isLate || signal?.aborted === true;
  }

  return {
    settings: given,
    ledger,
    memory,
    context: service.context,
    referenceService,
    tally,
    constraints,
    differences,
    neverFound: notFound.neverFound,
    deleteItem: renderer.deleteItem,
    async takeAway(records, sender) {
      // Where two services are compared, what is there is to be the same on both.
      if (settings.keep || (settings.socketSend === undefined && against === undefined)) return;
      await sender.takeAway(records, isStopped);
    },
    coverage: () => coverage.conclude(notFound.neverFound(), isOutOfTime),
    isStopped,
    allot(share, later) {
      allotted = share;
      reserved = later;
    },
    isOutOfTime: () => isOutOfTime,
    isEnoughFor: (requests) =>
      settings.maxTimeMs !== Infinity &&
      (requests * answerMs()) / settings.connections < 0.75 * (endsAt() - performance.now()),
    openSender({ suite, property, isCompared = false, ...how }, onExchange) {
      return createSender(service, {
        ...how,
        isOver: isStopped,
        mirror: isCompared ? referenceService?.mirror : undefined,
        onJudged(judged) {
          tally.requests += 1;
          answeringMs += judged.exchange.durationMs;
          onExchange?.(judged);
          judged.findings.forEach((finding) => ledger.count(finding));
          notFound.read(judged);
          coverage.read(judged);
          const startedAt = Date.now() - judged.exchange.durationMs;
          emit({ kind: 'exchange', suite, property, judged, startedAt });
        },
      });
    },
    take(planned, found) {
      const { finding, confirmed } = found;
      const made = isExcused(found) ? undefined : toEntry(planned, found);
      if (made === undefined || !ledger.add(made.entry)) return;
      const taken = { planned, found, shown: made.shown };
      if (finding.check === 'undeclared-constraint') {
        constraints.push(taken);
      }
      if (finding.check === 'parity') {
        differences.push(taken);
      }
      emit({ kind: 'finding', finding: { ...made.entry, count: confirmed.seen + 1 } });
      bailed ||= settings.bail && finding.level === 'violation' && made.entry.known === undefined;
    },
    supersede(explained, planned, found) {
      const entry = toEntry(planned, found)?.entry;
      if (entry !== undefined && ledger.supersede(explained, entry)) {
        emit({ kind: 'finding', finding: { ...entry, count: found.confirmed.seen + 1 } });
      }
    },
  };
}

/** Whether a finding may be no fault of the service, and did not come back. */
function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (mayComeOfState(finding, records)) return confirmed.seen < confirmed.tried;
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}
