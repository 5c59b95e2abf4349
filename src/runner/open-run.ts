import type { CheckContext } from '../check/check-context.ts';
import type { Judged } from '../check/judged.ts';
import { isStaleConnectionDrop } from '../http/stale-connection.ts';
import { createSession, type RecordingSession, type RunMemory } from './create-session.ts';
import { createFindingLedger, type FindingLedger } from './finding-ledger.ts';
import { createKeyAllocator } from './key-allocator.ts';
import type { PlannedProperty } from './plan-run.ts';
import type { RunOptions } from './run-options.ts';
import type { PropertyFinding } from './run-property.ts';
import { sendPolitely } from './send-politely.ts';

/** What the properties of one run share. */
export interface OpenRun {
  readonly ledger: FindingLedger;
  readonly memory: Readonly<RunMemory>;
  /** Requests that were answered, and answers that asked to wait. */
  readonly tally: { readonly requests: number; readonly waits: number };
  readonly isStopped: () => boolean;
  readonly context: () => CheckContext;
  /** A session whose exchanges are counted and told of. */
  openSession(suite: string, property: string, onExchange: () => void): RecordingSession;
  /** Takes a finding into the ledger, unless its cause is known or it may be no fault of the service. */
  take(planned: PlannedProperty, session: RecordingSession, found: PropertyFinding): void;
}

/** Findings of these come of state, so they say nothing unless they come back for other keys. */
const stateful = new Set(['undeclared-constraint', 'refused-leaves-trace', 'twin-keys']);

function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (stateful.has(finding.check)) {
    return confirmed.seen < confirmed.tried;
  }
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}

/** Opens what the properties of a run share: keys, memory, the polite send, and the ledger of findings. */
export function openRun(options: RunOptions): OpenRun {
  const allocator = createKeyAllocator(options.keys);
  const ledger = createFindingLedger();
  const memory: RunMemory = { sentKeys: new Set(), longestPlainBody: 0, plainSent: 0, plainAccepted: 0 };
  const tally = { requests: 0, waits: 0 };
  let bailed = false;
  const send = sendPolitely(options.send, {
    target: options.target,
    rate: options.rate,
    rateWaitMs: options.rateWaitMs,
    onWait(status, ms) {
      tally.waits += 1;
      options.emit({ kind: 'waiting', status, ms });
    },
  });
  return {
    ledger,
    memory,
    tally,
    isStopped: () => bailed || options.signal?.aborted === true,
    context: () => ({
      contract: options.contract,
      policy: options.policy,
      told: options.told,
      echo: options.echo,
      goodTokens: options.token === undefined ? [] : [options.token],
      longestPlainBody: memory.longestPlainBody,
    }),
    openSession(suite, property, onExchange) {
      function onJudged(judged: Judged): void {
        tally.requests += 1;
        onExchange();
        judged.findings.forEach((finding) => ledger.count(finding));
        options.emit({ kind: 'exchange', suite, property, judged });
      }
      return createSession({ options, send, allocator, memory, onJudged });
    },
    take(planned, session, found) {
      const { finding, confirmed, records } = found;
      const last = records.at(-1);
      if (last === undefined || isExcused(found)) {
        return;
      }
      const shown = records.find(({ judged }) => judged.findings.includes(finding)) ?? last;
      const entry = {
        finding,
        suite: planned.suite,
        property: planned.property.id,
        exchange: shown.judged,
        requests: session.renderFresh(records),
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
