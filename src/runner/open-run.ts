import type { CheckContext } from '../check/check-context.ts';
import { findingId } from '../check/finding-id.ts';
import type { Judged } from '../check/judged.ts';
import { isStaleConnectionDrop } from '../http/stale-connection.ts';
import { createSession, type RecordingSession, type SessionRecord } from './create-session.ts';
import { createRouter } from '../contract/create-router.ts';
import { createRunMemory, type RunMemory } from './create-run-memory.ts';
import { createFindingLedger, type FindingLedger } from './finding-ledger.ts';
import { isSameCause } from './is-same-cause.ts';
import { createKeyAllocator } from './key-allocator.ts';
import { mayComeOfState } from './may-come-of-state.ts';
import type { PlannedProperty } from './plan-run.ts';
import type { RunOptions } from './run-options.ts';
import type { PropertyFinding } from './run-property.ts';
import { createWhereaboutsReader } from './create-whereabouts-reader.ts';
import { sendPolitely } from './send-politely.ts';

/** What the properties of one run share. */
export interface OpenRun {
  readonly ledger: FindingLedger;
  /** The operations that only ever answered 404, though their credentials were good. */
  readonly neverFound: () => readonly string[];
  readonly memory: Readonly<RunMemory>;
  /** Requests that were answered, and answers that asked to wait. */
  readonly tally: { readonly requests: number; readonly waits: number };
  readonly isStopped: () => boolean;
  readonly context: () => CheckContext;
  /** A session whose exchanges are counted and told of. */
  openSession(
    of: { readonly suite: string; readonly property: string; readonly via: 'client' | 'socket' },
    onExchange: (judged: Judged) => void,
  ): RecordingSession;
  /** Takes a finding into the ledger, unless its cause is known or it may be no fault of the service. */
  take(planned: PlannedProperty, session: RecordingSession, found: PropertyFinding): void;
}

function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (mayComeOfState(finding)) {
    return confirmed.seen < confirmed.tried;
  }
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}

/**
 * The requests that it takes to show a finding, the one that shows it last: all of a sequence that was judged
 * as a whole, else those up to the one exchange, and that one alone where no request before it matters.
 */
function pickNeeded({ finding, records }: PropertyFinding): readonly SessionRecord[] {
  const at = records.findIndex(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
  const shown = records[at];
  if (shown === undefined) {
    return records;
  }
  const { key } = shown.judged.request;
  return key === 'sent' || key === 'twin' ? records.slice(0, at + 1) : [shown];
}

/** Opens what the properties of a run share: keys, memory, the polite send, and the ledger of findings. */
export function openRun(options: RunOptions): OpenRun {
  const allocator = createKeyAllocator(options.keys);
  const ledger = createFindingLedger();
  const memory = createRunMemory();
  const route = createRouter(options.contract);
  const tally = { requests: 0, waits: 0 };
  const whereabouts = createWhereaboutsReader();
  let bailed = false;
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
  const context = (): CheckContext => ({
    contract: options.contract,
    policy: options.policy,
    told: options.told,
    echo: options.echo,
    goodTokens: options.token === undefined ? [] : [options.token],
    taken: memory.taken,
    sentTexts: memory.sentTexts,
    longestPlainBody: memory.longestPlainBody,
  });
  return {
    ledger,
    neverFound: whereabouts.neverFound,
    memory,
    tally,
    isStopped: () => bailed || options.signal?.aborted === true,
    context,
    openSession({ suite, property, via }, onExchange) {
      function onJudged(judged: Judged): void {
        tally.requests += 1;
        onExchange(judged);
        judged.findings.forEach((finding) => ledger.count(finding));
        whereabouts.read(judged);
        const startedAt = Date.now() - judged.exchange.durationMs;
        options.emit({ kind: 'exchange', suite, property, judged, startedAt });
      }
      return createSession({ options, send: sends[via], allocator, memory, route, context, onJudged });
    },
    take(planned, session, found) {
      const { finding, confirmed } = found;
      const needed = pickNeeded(found);
      const shown = needed.at(-1);
      if (shown === undefined || isExcused(found)) {
        return;
      }
      const entry = {
        id: findingId(finding),
        finding,
        suite: planned.suite,
        property: planned.property.id,
        exchange: shown.judged,
        requests: session.renderFresh(needed),
        replay: { seed: options.seed, path: `${planned.suite}/${planned.property.id}:${found.path}` },
        confirmed,
      };
      if (ledger.add(entry)) {
        options.emit({ kind: 'finding', finding: { ...entry, count: confirmed.seen + 1 } });
        bailed ||= options.bail && finding.level === 'violation';
      }
    },
  };
}
