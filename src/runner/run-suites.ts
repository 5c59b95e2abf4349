import { describeTrigger } from '../check/describe-subject.ts';
import type { Judged } from '../check/judged.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { settleConstraints } from './boundary/settle-constraints.ts';
import { countCases } from './count-cases.ts';
import { judgeSuccess } from './judge-success.ts';
import { openRun } from './open-run.ts';
import { describeParity } from './parity/describe-parity.ts';
import { withoutExplained } from './parity/without-explained.ts';
import { type PlannedProperty, planRun, type RunPlan } from './plan-run.ts';
import { preflight } from './preflight.ts';
import type { NotChecked, PropertyResult, RunResult } from './run-event.ts';
import type { RunOptions } from './run-options.ts';
import { openPlanned, type OpenProperty } from './open-planned.ts';
import { runSideBySide } from './run-side-by-side.ts';
import { settleBaseline } from './settle-baseline.ts';
import { whyPartial } from './why-partial.ts';

/** What a run sends at most, while nothing is to be made smaller. */
function countPlanned(
  { properties }: RunPlan,
  runs: number,
): { readonly cases: number; readonly creates: number } {
  const counts = properties.map(({ property: { mostRequests, ...property } }) => {
    const cases = countCases(property, runs);
    return { cases, creates: cases * (mostRequests ?? property.countsAs ?? 1) };
  });
  return {
    cases: counts.reduce((sum, { cases }) => sum + cases, 0),
    creates: counts.reduce((sum, { creates }) => sum + creates, 0),
  };
}

/** What lies behind a path that leads nowhere was not looked at. */
function toNotChecked(operation: string): NotChecked {
  const reason =
    'it only ever answered 404; give its path parameters an enum in the document, of what exists';
  return { what: operation, reason };
}

/** Whether its cases send many requests each, one of which may well be such as the service hangs on. */
function isLong({ property: { countsAs = 1 } }: PlannedProperty): boolean {
  return countsAs > 1;
}

/** What the run had no time for. */
function whatTimeLeftOut(
  plan: RunPlan,
  { properties, runs }: { readonly properties: readonly PropertyResult[]; readonly runs: number },
): readonly NotChecked[] {
  const tried = properties.reduce((sum, { cases }) => sum + cases, 0);
  const { cases: planned } = countPlanned(plan, runs);
  return tried >= planned
    ? []
    : [
        {
          what: `${(planned - tried).toLocaleString('en-US')} of ${planned.toLocaleString('en-US')} cases`,
          reason: `stopped by --max-time after ${tried.toLocaleString('en-US')}; give more time, or fewer cases with --runs`,
        },
      ];
}

/** Of requests that were under way together, a service rather went down on one that is not plain. */
function bySuspicion(left: Judged, right: Judged): number {
  const isPlain = ({ request }: Judged): boolean => describeTrigger(request).trigger === undefined;
  return Number(isPlain(left)) - Number(isPlain(right));
}

interface Turn {
  readonly tasks: readonly PlannedProperty[];
  readonly atOnce: number;
}

/**
 * What runs when. Sequences take the most requests, so they start first: the run is not to wait for one of
 * them at its end. Where plain requests already fail, the property that sends them goes ahead, so that what it
 * shows is not found again by every other.
 */
function turnsOf(
  { properties }: RunPlan,
  { isBroken, connections }: { readonly isBroken: boolean; readonly connections: number },
): readonly Turn[] {
  const [plainest, ...others] = properties.filter(({ turn }) => turn === 'beside-others');
  const ahead = plainest === undefined ? [] : [plainest];
  const beside = (isBroken ? others : [...ahead, ...others]).toSorted(
    (left, right) => right.property.traceChecks.length - left.property.traceChecks.length,
  );
  return [
    { tasks: isBroken ? ahead : [], atOnce: 1 },
    { tasks: beside, atOnce: connections },
    { tasks: properties.filter(({ turn }) => turn === 'last'), atOnce: 1 },
  ];
}

/**
 * Runs suites against a service, in process or elsewhere, and judges every exchange.
 *
 * Properties run side by side, each sequential in itself.
 *
 * @returns what was found; findings are results, not errors
 * @throws ClocheError CANNOT_JUDGE where the service cannot be judged, OPTION_INVALID for a path that names
 * no property, or where there is nothing to try
 */
export async function runSuites(options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const plan = planRun(options);
  const [first] = plan.properties;
  if (first === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'test',
      subject: options.contract.source,
      reason: 'no suite has anything to try on it',
      remedy: 'Name a document with operations, or other suites',
    });
  }
  const { cases, creates } = countPlanned(plan, options.runs);
  const [from, to] = options.keys;
  if (to - from + 1 < creates) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'test with the keys',
      subject: `${from} to ${to}`,
      reason: `they are fewer than the ${creates} creates of this run, which would meet its own keys again`,
      remedy: 'Give a larger range with --ids, or fewer cases with --runs',
    });
  }
  const run = openRun(options);
  run.ledger.notChecked.push(...plan.notChecked);
  const { title, version, source } = options.contract;
  options.emit({
    kind: 'run-started',
    target: options.target,
    contract: { title, version, source },
    seed: options.seed,
    keys: options.keys,
    properties: plan.properties.length,
    cases,
    creates,
  });
  const session = run.openSession(
    { suite: 'preflight', property: 'preflight', via: 'client' },
    () => undefined,
  );
  const properties: PropertyResult[] = [];
  const opened: OpenProperty[] = [];

  function tell(property: OpenProperty): void {
    const result = property.conclude();
    if (result !== undefined) {
      properties.push(result);
      options.emit({ kind: 'property-finished', result });
    }
  }

  function finish({ isWhole }: { readonly isWhole: boolean }): RunResult {
    const { isGone, brokenOff } = run.memory;
    opened.forEach(tell);
    const untried = run.isOutOfTime() ? whatTimeLeftOut(plan, { properties, runs: options.runs }) : [];
    const findings = withoutExplained(run.ledger.findings());
    const isStopped = !isWhole || run.isStopped() || properties.length < plan.properties.length;
    const settled = settleBaseline({
      baseline: options.baseline,
      findings,
      whyPartial: whyPartial(options, { isStopped, properties }),
      hasConnection: options.socketSend !== undefined,
    });
    const result: RunResult = {
      seed: options.seed,
      keys: options.keys,
      findings,
      observations: run.ledger.observations(),
      properties,
      notChecked: [
        ...run.ledger.notChecked,
        ...run.neverFound().map(toNotChecked),
        ...settled.notChecked,
        ...untried,
      ],
      requests: run.tally.requests,
      durationMs: performance.now() - startedAt,
      waits: run.tally.waits,
      interrupted: options.signal?.aborted === true,
      brokenOff: isGone ? brokenOff.map(({ judged }) => judged).toSorted(bySuspicion) : [],
      coverage: run.coverage(),
      gone: settled.gone,
      ...describeParity({ options, run, plan, findings }),
    };
    options.emit({ kind: 'run-finished', result });
    return result;
  }

  await run.counterpart?.preflight();
  const isBroken = await preflight(session, options);
  try {
    for (const { tasks, atOnce } of turnsOf(plan, { isBroken, connections: options.connections })) {
      const turn: OpenProperty[] = [];
      for (const planned of tasks) {
        const property = openPlanned(planned, run, options);
        opened.push(property);
        if (isLong(planned) && planned.turn === 'last' && run.ledger.hangs() > 0) {
          property.giveUp();
        } else {
          turn.push(property);
        }
      }
      const side = { tasks: turn, atOnce, isStopped: run.isStopped };
      // What is plainly wrong shows in some example; the random cases of one property are not to put it off.
      await runSideBySide({ ...side, run: (property) => property.runExamples() });
      await runSideBySide({
        ...side,
        async run(property) {
          await property.runRest();
          tell(property);
        },
      });
    }
    await settleConstraints(run, options.connections);
    await judgeSuccess(first, run, { options, session });
  } catch (error) {
    // Whatever ended the run, what was found by then is told all the same.
    finish({ isWhole: false });
    throw error;
  }
  return finish({ isWhole: true });
}
