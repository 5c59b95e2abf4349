import { type Finding, findingId } from '../check/finding.ts';
import type { CheckContext, Judged } from '../check/reading/subject.ts';
import { createRouter } from '../contract/router.ts';
import { isStaleConnectionDrop } from '../http/connect.ts';
import { mayComeOfState, neededRequests } from './confirm.ts';
import { createCoverageRecorder } from './coverage/recorder.ts';
import { lookUp, type OperationCoverage, type RunOptions } from './events.ts';
import { createKeyAllocator } from './keys.ts';
import { createFindingLedger, type FindingLedger } from './ledger.ts';
import { createRunMemory, type RunMemory } from './memory.ts';
import { type Counterpart, createCounterpart } from './parity/counterpart.ts';
import type { PlannedProperty } from './plan.ts';
import type { PropertyFinding } from './search.ts';
import { checkContextOf, createSession, type RecordingSession, type SessionRecord } from './send-case.ts';
import { sendPolitely } from './throttle.ts';

/** Learns from exchanges which operations were never reached. */
interface WhereaboutsReader {
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
      if (operation === undefined || !isTemplated || !isTrusted || answer.kind === 'none') return;
      const { status } = answer.response;
      // A request that is refused for another reason says nothing of what its path names.
      if (status === 404 || status < 400) {
        isFound.set(operation.id, (isFound.get(operation.id) ?? false) || status < 400);
      }
    },
    neverFound: () => [...isFound].flatMap(([id, wasFound]) => (wasFound ? [] : [id])),
  };
}

/** A finding that was taken, with the request that shows it. */
export interface TakenFinding {
  readonly planned: PlannedProperty;
  readonly found: PropertyFinding;
  readonly shown: SessionRecord;
}

/** What the properties of one run share. */
export interface OpenRun {
  readonly ledger: FindingLedger;
  /** The operations that only ever answered 404, though their credentials were good. */
  readonly neverFound: () => readonly string[];
  /** What of the contract was exercised so far. */
  readonly coverage: () => readonly OperationCoverage[];
  readonly memory: Readonly<RunMemory>;
  /** Requests that were answered, and answers that asked to wait. */
  readonly tally: { readonly requests: number; readonly waits: number };
  readonly isStopped: () => boolean;
  /** Whether it was stopped, as its time was over. */
  readonly isOutOfTime: () => boolean;
  readonly context: () => CheckContext;
  /** The other service, where the run compares two. */
  readonly counterpart: Counterpart | undefined;
  /** A session whose exchanges are counted and told of. */
  openSession(
    of: {
      readonly suite: string;
      readonly property: string;
      readonly via: 'client' | 'socket';
      /** Whether what is put off is sent again. @defaultValue true */
      readonly waits?: boolean;
      /** Whether its requests go to the other service too, where there is one. */
      readonly isCompared?: boolean;
    },
    onExchange: (judged: Judged) => void,
  ): RecordingSession;
  /** The valid bodies that were refused, with what each was found by. */
  readonly constraints: () => readonly TakenFinding[];
  /** What another service answers otherwise, with what each was found by. */
  readonly differences: () => readonly TakenFinding[];
  /** Puts a finding in the place of those that it explains. */
  supersede(
    explained: readonly Finding[],
    planned: PlannedProperty,
    session: RecordingSession,
    found: PropertyFinding,
  ): void;
  /** Takes a finding into the ledger, unless its cause is known or it may be no fault of the service. */
  take(planned: PlannedProperty, session: RecordingSession, found: PropertyFinding): void;
}

function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (mayComeOfState(finding, records)) return confirmed.seen < confirmed.tried;
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}

/** Opens what the properties of a run share: keys, memory, the polite send, and the ledger of findings. */
export function openRun(options: RunOptions): OpenRun {
  const allocator = createKeyAllocator(options.keys);
  const ledger = createFindingLedger();
  const memory = createRunMemory();
  const route = createRouter(options.contract);
  const tally = { requests: 0, waits: 0 };
  const whereabouts = createWhereaboutsReader();
  const coverage = createCoverageRecorder(options.contract);
  const constraints: TakenFinding[] = [];
  const differences: TakenFinding[] = [];
  let bailed = false;
  const endsAt = performance.now() + (options.maxTimeMs ?? Infinity);
  let isOutOfTime = false;
  const politely = sendPolitely({
    target: options.target,
    rate: options.rate,
    rateWaitMs: options.rateWaitMs,
    onWait(status, ms) {
      tally.waits += 1;
      options.emit({ kind: 'waiting', status, ms });
    },
  });
  const { socketSend = options.send } = options;
  const sends = {
    client: {
      patient: politely(options.send, { waits: true }),
      blunt: politely(options.send, { waits: false }),
    },
    socket: { patient: politely(socketSend, { waits: true }), blunt: politely(socketSend, { waits: false }) },
  };
  const known = checkContextOf(options, memory);
  const { against } = options;
  const counterpart = against && createCounterpart({ options, against, allocator, route });
  const context = (): CheckContext => known;
  return {
    ledger,
    neverFound: whereabouts.neverFound,
    coverage: () => coverage.conclude(whereabouts.neverFound()),
    memory,
    tally,
    isStopped() {
      isOutOfTime ||= endsAt !== Infinity && performance.now() >= endsAt;
      return bailed || isOutOfTime || options.signal?.aborted === true;
    },
    isOutOfTime: () => isOutOfTime,
    context,
    counterpart,
    openSession({ suite, property, via, waits = true, isCompared = false }, onExchange) {
      function onJudged(judged: Judged): void {
        tally.requests += 1;
        onExchange(judged);
        judged.findings.forEach((finding) => ledger.count(finding));
        whereabouts.read(judged);
        coverage.read(judged);
        const startedAt = Date.now() - judged.exchange.durationMs;
        options.emit({ kind: 'exchange', suite, property, judged, startedAt });
      }
      const accompany = isCompared ? counterpart?.accompany : undefined;
      return createSession({
        options,
        send: waits ? sends[via] : { ...sends[via], patient: sends[via].blunt },
        allocator,
        memory,
        route,
        context,
        onJudged,
        ...(accompany === undefined ? {} : { accompany }),
      });
    },
    constraints: () => constraints,
    differences: () => differences,
    supersede(explained, planned, session, found) {
      const entry = toEntry(planned, session, found)?.entry;
      if (entry !== undefined && ledger.supersede(explained, entry)) {
        options.emit({ kind: 'finding', finding: { ...entry, count: found.confirmed.seen + 1 } });
      }
    },
    take(planned, session, found) {
      const { finding, confirmed } = found;
      const made = isExcused(found) ? undefined : toEntry(planned, session, found);
      if (made === undefined) return;
      const { entry, shown } = made;
      if (ledger.add(entry)) {
        if (finding.check === 'undeclared-constraint') {
          constraints.push({ planned, found, shown });
        }
        if (finding.check === 'parity') {
          differences.push({ planned, found, shown });
        }
        options.emit({ kind: 'finding', finding: { ...entry, count: confirmed.seen + 1 } });
        bailed ||= options.bail && finding.level === 'violation' && entry.known === undefined;
      }
    },
  };

  function toEntry(planned: PlannedProperty, session: RecordingSession, found: PropertyFinding) {
    const { finding, confirmed } = found;
    const needed = neededRequests(found, memory.sentTexts);
    if (needed === undefined) return undefined;
    const id = findingId(finding);
    const entry = {
      id,
      ...lookUp(options.baseline, id),
      finding,
      suite: planned.suite,
      property: planned.property.id,
      exchange: needed.shown.judged,
      requests: session.renderFresh(needed.records),
      ...(finding.parity === undefined || counterpart === undefined
        ? {}
        : { elsewhere: counterpart.renderFresh(needed.records) }),
      ...(needed.sideBySide ? { sideBySide: true as const } : {}),
      ...(needed.outcomes === undefined ? {} : { outcomes: needed.outcomes }),
      replay: { seed: options.seed, path: `${planned.suite}/${planned.property.id}:${found.path}` },
      confirmed,
    };
    return { entry, shown: needed.shown };
  }
}
