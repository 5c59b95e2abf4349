import { buildRequest } from '../arbitrary/request.ts';
import { describeReceived, describeTrigger, nameOperation } from '../check/describe.ts';
import { type CheckId, type Finding, locateFinding } from '../check/finding.ts';
import type { Judged } from '../check/reading/subject.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { settleConstraints } from './boundary/find-boundaries.ts';
import type { NotChecked, PropertyResult, RunFinding, RunOptions, RunResult } from './events.ts';
import { settleBaseline } from './ledger.ts';
import { proposePolicy, whatIsNotCompared, withoutExplained } from './parity/propose.ts';
import { countCases, type PlannedProperty, planRun, type RunPlan, whyPartial } from './plan.ts';
import { preflight } from './preflight.ts';
import { openPlanned, type OpenProperty } from './property.ts';
import { type OpenRun, openRun } from './run-context.ts';
import type { RecordingSession } from './send-case.ts';
import { runSideBySide } from './throttle.ts';

/** How many plain bodies have to be refused before it is said that none is ever taken. */
const enough = 3;
/** Where a plain request shows one of these, that is the cause, and nothing being taken comes of it. */
const explanations = new Set<CheckId>([
  'server-error',
  'undeclared-status',
  'timed-out',
  'connection-dropped',
]);

/**
 * Finds a service that takes none of the plain bodies that its document allows: where no create of the run
 * was ever taken, it sends some more, with keys far apart.
 *
 * @param planned - the property that the finding is filed under
 */
async function judgeSuccess(
  planned: PlannedProperty,
  run: OpenRun,
  input: { readonly options: RunOptions; readonly session: RecordingSession },
): Promise<void> {
  const { contract } = input.options;
  const create = contract.operations.find(({ kind }) => kind.kind === 'create');
  if (create === undefined || run.memory.plainAccepted > 0 || run.isStopped()) return;
  const isExplained = run.ledger
    .findings()
    .some(({ finding }) => explanations.has(finding.check) && finding.trigger === undefined);
  if (isExplained) return;
  async function sendSome(session: Pick<RecordingSession, 'send' | 'bindKeys'>): Promise<void> {
    const requests = create === undefined ? [] : Array.from({ length: enough }, () => buildRequest(create));
    for (const request of requests) {
      await session.send(request, session.bindKeys());
    }
  }
  const { records } = await input.session.record(sendSome, { far: true });
  const last = records.at(-1);
  if (last === undefined || run.memory.plainSent < enough || run.memory.plainAccepted > 0) return;
  const anonymous = await input.session.send(
    buildRequest(create, { credentials: { kind: 'none' } }),
    input.session.bindKeys(),
  );
  const isAlike = describeReceived(anonymous.answer) === describeReceived(last.judged.answer);
  const finding: Finding = {
    check: 'never-succeeds',
    level: 'violation',
    operation: nameOperation(last.judged),
    clause: {
      kind: 'document',
      pointer: last.judged.operation?.requestBody?.pointer ?? '',
      quote: 'its schema accepts the body',
    },
    expected: 'some plain valid body is taken',
    received: `all ${run.memory.plainSent} were refused${isAlike && last.judged.request.credentials === 'good' ? ', just as one without credentials: the token may not be good' : ''}`,
    cause: 'never',
  };
  run.take(planned, input.session, {
    finding: locateFinding(finding, contract),
    records: [last],
    path: '0',
    confirmed: { seen: enough, tried: enough },
  });
}

/** What comparing two services came to; nothing where there is but one. */
function describeParity(input: {
  readonly options: Pick<RunOptions, 'against'>;
  readonly run: Pick<OpenRun, 'counterpart'>;
  readonly plan: RunPlan;
  readonly findings: readonly RunFinding[];
}): Pick<RunResult, 'parity'> {
  const { plan, findings } = input;
  const { against } = input.options;
  const { counterpart } = input.run;
  if (against === undefined || counterpart === undefined) return {};
  const { compared, differing, hangs: unanswered } = counterpart.tally;
  const { name, names, policy } = against;
  const notCompared = whatIsNotCompared(plan);
  return {
    parity: {
      name,
      names,
      compared,
      differing,
      unanswered,
      notCompared,
      proposal: proposePolicy(findings, policy),
    },
  };
}

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
