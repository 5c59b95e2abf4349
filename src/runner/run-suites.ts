import type { CheckContext } from '../check/check-context.ts';
import type { Judged } from '../check/judged.ts';
import { buildRequest } from '../arbitrary/build-request.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { isStaleConnectionDrop } from '../http/stale-connection.ts';
import { createFindingLedger } from './finding-ledger.ts';
import { createKeyAllocator } from './key-allocator.ts';
import { createSession, type RecordingSession, type RunMemory } from './create-session.ts';
import { findNeverSucceeds } from './never-succeeds.ts';
import { planRun, type PlannedProperty } from './plan-run.ts';
import { preflight } from './preflight.ts';
import type { PropertyResult, RunResult } from './run-event.ts';
import type { RunOptions } from './run-options.ts';
import { type PropertyFinding, runProperty } from './run-property.ts';
import { sendPolitely } from './send-politely.ts';

/** Findings of these come of state, so they say nothing unless they come back for other keys. */
const stateful = new Set(['undeclared-constraint', 'refused-leaves-trace', 'twin-keys']);

/** Whether what was found may have come of something that is no fault of the service. */
function isExcused({ finding, confirmed, records }: PropertyFinding): boolean {
  if (stateful.has(finding.check)) {
    return confirmed.seen < confirmed.tried;
  }
  const isStale = records.some(({ judged }) => isStaleConnectionDrop(judged.exchange.answer));
  return finding.check === 'connection-dropped' && isStale && confirmed.seen === 0;
}

/**
 * Runs suites against a service, in process or elsewhere, and judges every exchange.
 *
 * Properties run side by side, each sequential in itself; those that look at several exchanges together
 * run after the others.
 *
 * @returns what was found; findings are results, not errors
 * @throws ClocheError CANNOT_JUDGE where the service cannot be judged, OPTION_INVALID for a path that
 * names no property
 */
export async function runSuites(options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const plan = planRun(options);
  const allocator = createKeyAllocator(options.keys);
  const ledger = createFindingLedger();
  ledger.notChecked.push(...plan.notChecked);
  const memory: RunMemory = { sentKeys: new Set(), longestPlainBody: 0, plainSent: 0, plainAccepted: 0 };
  const results: PropertyResult[] = [];
  let requests = 0;
  let waits = 0;
  let bailed = false;
  let failure: Error | undefined;
  const isStopped = (): boolean => bailed || failure !== undefined || options.signal?.aborted === true;
  const context = (): CheckContext => ({
    contract: options.contract,
    policy: options.policy,
    told: options.told,
    echo: options.echo,
    goodTokens: options.token === undefined ? [] : [options.token],
    longestPlainBody: memory.longestPlainBody,
  });
  const send = sendPolitely(options.send, {
    target: options.target,
    rate: options.rate,
    rateWaitMs: options.rateWaitMs,
    onWait(status, ms) {
      waits += 1;
      options.emit({ kind: 'waiting', status, ms });
    },
  });

  function openSession(suite: string, property: string, count: () => void): RecordingSession {
    const onJudged = (judged: Judged): void => {
      requests += 1;
      count();
      judged.findings.forEach((finding) => ledger.count(finding));
      options.emit({ kind: 'exchange', suite, property, judged });
    };
    return createSession({ options, send, allocator, memory, onJudged });
  }

  function take(planned: PlannedProperty, session: RecordingSession, found: PropertyFinding): void {
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
  }

  async function runPlanned(planned: PlannedProperty): Promise<void> {
    const { property, suite } = planned;
    let sent = 0;
    let cases = 0;
    let hangs = false;
    const levels = { violation: 0, advice: 0, observation: 0 };
    const session = openSession(suite, property.id, () => {
      sent += 1;
    });
    const counted = {
      ...property,
      run: (...input: Parameters<typeof property.run>) => {
        cases += 1;
        return property.run(...input);
      },
    };
    await runProperty({
      property: counted,
      session,
      context,
      seed: options.seed,
      runs: options.runs,
      path: planned.path,
      isStopped: () => hangs || isStopped(),
      onHang() {
        hangs = true;
        ledger.notChecked.push({
          what: `${suite}/${property.id}`,
          reason: `given up after ${cases} cases, as the service hangs on requests like them; mend the hang first`,
        });
      },
      isKnown: (finding) => ledger.isKnown(finding),
      onFinding(found) {
        levels[found.finding.level] += 1;
        take(planned, session, found);
      },
    });
    const { violation: violations, advice } = levels;
    const result = {
      suite,
      property: property.id,
      title: property.title,
      cases,
      requests: sent,
      violations,
      advice,
    };
    results.push(result);
    options.emit({ kind: 'property-finished', result });
  }

  async function runAll(planned: readonly PlannedProperty[], atOnce: number): Promise<void> {
    const queue = [...planned];
    const workers = Array.from({ length: Math.min(atOnce, queue.length) }, async () => {
      for (let next = queue.shift(); next !== undefined && !isStopped(); next = queue.shift()) {
        await runPlanned(next).catch((error: unknown) => {
          failure ??= error instanceof Error ? error : new Error(String(error));
        });
      }
    });
    await Promise.all(workers);
    if (failure !== undefined) {
      throw failure;
    }
  }

  options.emit({
    kind: 'run-started',
    target: options.target,
    contract: {
      title: options.contract.title,
      version: options.contract.version,
      source: options.contract.source,
    },
    seed: options.seed,
    keys: options.keys,
    properties: plan.properties.length,
    creates: plan.properties.reduce(
      (sum, { property }) =>
        sum + (property.arbitrary === undefined ? property.examples.length : options.runs),
      0,
    ),
  });
  const opening = openSession('preflight', 'preflight', () => undefined);
  await preflight(opening, options);
  await runAll(
    plan.properties.filter(({ alone }) => !alone),
    options.connections,
  );
  await runAll(
    plan.properties.filter(({ alone }) => alone),
    1,
  );
  await judgeSuccess();

  async function judgeSuccess(): Promise<void> {
    const create = options.contract.operations.find(({ kind }) => kind.kind === 'create');
    if (create === undefined || memory.plainAccepted > 0 || isStopped()) {
      return;
    }
    const { records } = await opening.record(
      async (session) => {
        for (let attempt = 0; attempt < 3; attempt += 1) {
          await session.send(buildRequest(create), session.bindKeys());
        }
      },
      { far: true },
    );
    const finding = findNeverSucceeds({ ...memory, records });
    const planned = plan.properties[0];
    if (finding !== undefined && planned !== undefined) {
      take(planned, opening, {
        finding,
        records: records.slice(-1),
        path: '0',
        confirmed: { seen: 3, tried: 3 },
      });
    }
  }

  if (options.rate === undefined && results.length === 0 && plan.properties.length === 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'run',
      subject: options.contract.source,
      reason: 'no suite has anything to try on it',
      remedy: 'Name a document with operations, or other suites',
    });
  }
  const findings = ledger.findings();
  const hidesConstraints = findings.some(({ finding }) => finding.check === 'never-succeeds');
  const result: RunResult = {
    seed: options.seed,
    keys: options.keys,
    // Where nothing is ever taken, each single refusal has that one cause.
    findings: hidesConstraints
      ? findings.filter(({ finding }) => finding.check !== 'undeclared-constraint')
      : findings,
    observations: ledger.observations(),
    properties: results,
    notChecked: ledger.notChecked,
    requests,
    durationMs: performance.now() - startedAt,
    waits,
    interrupted: options.signal?.aborted === true,
  };
  options.emit({ kind: 'run-finished', result });
  return result;
}
