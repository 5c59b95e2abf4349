import { describeTrigger } from '../check/describe.ts';
import type { Operation } from '../contract/contract.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { type EnforcedPolicy, holdPolicy } from '../policy/policy.ts';
import { settleConstraints } from './boundary/find-boundaries.ts';
import { whatWasNotFound } from '../events/coverage/explain.ts';
import { type Extension, hookCases, hookTarget, openExtensions } from './extension.ts';
import type { NotChecked, PropertyResult, RunFinding, RunResult } from '../events/events.ts';
import type { RunOptions, RunSettings, RunTarget } from '../session/target.ts';
import { settleBaseline } from '../events/ledger.ts';
import { proposePolicy, whatIsNotCompared, withoutExplained } from './parity/propose.ts';
import { orderByKind } from './order-properties.ts';
import { type PlannedProperty, planRun, requestsOfCase, type RunPlan, whyPartial } from './plan.ts';
import { preflight } from './preflight.ts';
import { judgeSuccess } from './judge-success.ts';
import { OpenProperty } from './property.ts';
import { OpenRun } from './run-context.ts';
import type { Suite } from './suite.ts';
import { withoutOperations } from '../contract/selection.ts';
import { keptForEver, takeAway } from './take-away.ts';
import { selectTargets } from './target-operations.ts';
import { NoItem } from '../session/items.ts';
import { cannotJudge, runSideBySide } from '../session/throttle.ts';

/**
 * Runs suites against a service, in process or remote, and checks every exchange.
 *
 * Properties run concurrently; the requests of each are sequential.
 *
 * @param target - the service: the result of `openUrlTarget`, a mock, or any object with a contract and a send
 * @param options - options of the run
 * @returns the findings and statistics; findings are results, not errors
 * @throws ClocheError CANNOT_JUDGE if the service cannot be tested, OPTION_INVALID for a path that names no property,
 * or if there are no cases
 *
 * @example
 * const contract = await loadContract('orders.yaml');
 * const target = await openUrlTarget({ contract, baseUrl: 'http://127.0.0.1:8080', token: 'secret' });
 * const { findings } = await runSuites(allSuites, target);
 */
export async function runSuites(
  suites: readonly Suite[],
  target: RunTarget,
  options: ExtendedRunOptions = {},
): Promise<RunResult> {
  const { suites: all, judges, hooks } = openExtensions(suites, options.extensions);
  try {
    await target.ready?.();
    await options.against?.ready?.();
  } catch (error) {
    // Reports have the reason, and the plan of the run.
    const settings = settle(target, options, performance.now());
    announce(planRun(all, settings), settings);
    throw error;
  }
  const startedAt = performance.now();
  const settings = {
    ...settle(hookTarget(target, hooks), options, startedAt),
    judges,
    beforeCase: hookCases(hooks),
  };
  let result: RunResult | undefined;
  try {
    for (const { beforeRun } of hooks) await beforeRun?.(target);
    result = await runSettled(all, settings, { options, startedAt });
    return result;
  } finally {
    for (const { afterRun } of hooks) await afterRun?.(result);
  }
}

/**
 * Plans a run without sending a request.
 *
 * @returns the operations that the run would test, and its plan
 * @throws ClocheError OPTION_INVALID for options that cannot be used, or if there is nothing to test
 */
export function planSuites(
  suites: readonly Suite[],
  target: RunTarget,
  options: RunOptions = {},
): { readonly targets: readonly Operation[]; readonly plan: RunPlan } {
  const settings = settle(target, options, performance.now());
  return { targets: selectTargets(settings).targets, plan: planRun(suites, settings) };
}

/** Options of a run, with the extensions of its user. */
interface ExtendedRunOptions extends RunOptions {
  /** Checks, suites, hooks and formats of a user. @defaultValue none */
  readonly extensions?: readonly Extension[] | undefined;
}

async function runSettled(
  suites: readonly Suite[],
  settings: RunSettings,
  { options, startedAt }: { readonly options: RunOptions; readonly startedAt: number },
): Promise<RunResult> {
  const { maxTimeMs, shard } = settings;
  // One of several parts may have no time for a case. Then its properties are cut off, and the others are reported.
  const isPart = shard?.isLastAlone === true && shard.total > 1;
  if (maxTimeMs <= 0 && !isPart) {
    const all = (options.maxTimeMs ?? 0) / 1_000;
    throw outOfTime(
      settings,
      `the first request: of ${all} s, reading the document and getting ready took ${(all - maxTimeMs / 1_000).toFixed(1)} s`,
    );
  }
  const plan = planRun(suites, settings);
  const run = new OpenRun(settings, startedAt);
  run.planned = plan.creates;
  run.ledger.notChecked.push(...plan.notChecked);
  announce(plan, settings);
  await run.referenceService?.preflight();
  const plainly = run.openSender({ suite: 'preflight', property: 'preflight' });
  const plainSession = plainly.open();
  const isStopped = (): boolean => run.isStopped();
  const { isBroken, answered } = await preflight(plainSession, {
    settings,
    memory: run.memory,
    isStopped,
  }).catch(async (error: unknown) => {
    await takeAway(run, startedAt);
    throw error;
  });
  await run.takeAway(plainSession.records, plainly);
  run.hangs.start(answered);
  const opened: OpenProperty[] = [];
  const results: PropertyResult[] = [];

  function tell(property: OpenProperty): void {
    const result = property.conclude();
    if (result !== undefined) {
      results.push(result);
      settings.emit({ kind: 'property-finished', result });
    }
  }

  function finish({ isWhole }: { readonly isWhole: boolean }): RunResult {
    opened.forEach(tell);
    const result = conclude({ run, plan, opened, properties: results, isWhole, startedAt });
    settings.emit({ kind: 'run-finished', result });
    return result;
  }

  try {
    for (const phase of phasesOf(plan, { isBroken, settings })) {
      await runPhase(phase, run, { opened, tell });
    }
    await settleConstraints(run);
    await judgeSuccess(plan, run).catch(ignoreNoItem);
  } catch (error) {
    await takeAway(run, startedAt);
    // The findings so far are reported in any case.
    finish({ isWhole: false });
    throw error;
  }
  await takeAway(run, startedAt);
  try {
    const tasks = plan.properties.filter(({ phase }) => phase === 'service');
    await runPhase({ tasks, atOnce: 1, share: 1, reserved: 0 }, run, { opened, tell });
  } catch (error) {
    finish({ isWhole: false });
    throw error;
  }
  const isTried = opened.some((property) => property.hasTried());
  // A run without a tried case must not pass.
  if (run.isOutOfTime() && !isTried && !isPart && run.ledger.findings().length === 0) {
    finish({ isWhole: false });
    throw outOfTime(settings, 'a case of any suite was tried');
  }
  return finish({ isWhole: true });
}

function ignoreNoItem(error: unknown): void {
  if (!(error instanceof NoItem)) throw error;
}

const outOfTime = ({ name }: RunSettings, what: string): Error =>
  cannotJudge(name, `its time was over before ${what}`, 'Give more with --max-time');

const usualKeys = 1_000_000;

/** Returns the settings of a run, with defaults for missing options. */
function settle(target: RunTarget, options: RunOptions, startedAt: number): RunSettings {
  const { excluded = [], isolated = false } = options;
  const firstKey = 1 + Math.floor(Math.random() * (2 ** 31 - 1 - usualKeys));
  return {
    contract: isolated ? withoutOperations(target.contract, excluded) : target.contract,
    excluded,
    isolated,
    send: target.send,
    socketSend: target.socketSend,
    whyNoSocket: target.whyNoSocket,
    isMock: target.isMock ?? target.socketSend === undefined,
    name: target.name ?? 'the service',
    ...(target.baseUrl === undefined ? {} : { baseUrl: target.baseUrl }),
    token: target.token,
    credentials: target.credentials,
    users: target.users,
    givenHeaders: target.givenHeaders ?? [],
    credentialHeaders: target.credentialHeaders ?? [],
    ...holdPolicy({ beside: {}, given: {} }),
    ...pickHeld(target),
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    path: options.path,
    runs: options.runs,
    shard: options.shard,
    together: options.together,
    connections: options.connections ?? 10,
    keys: options.keys ?? [firstKey, firstKey + usualKeys - 1],
    rate: options.rate,
    maxResponseMs: options.maxResponseMs,
    rateWaitMs: options.rateWaitMs ?? 60_000,
    baseline: options.baseline,
    maxTimeMs: (options.maxTimeMs ?? Infinity) - (startedAt - (options.timeFrom ?? startedAt)),
    against: options.against,
    bail: options.bail ?? false,
    unsafeMethods: options.unsafeMethods ?? false,
    readOnly: options.readOnly ?? false,
    maxCreates: options.maxCreates ?? Infinity,
    keep: options.keep ?? false,
    signal: options.signal,
    emit: options.emit ?? (() => undefined),
  };
}

/** Returns the policy of a target. A mock has a policy without enforced behaviours. */
function pickHeld(target: RunTarget): Partial<EnforcedPolicy> {
  const { policy, enforced } = target;
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(enforced === undefined ? {} : { enforced }),
    // Undefined means unchecked.
    ...('echo' in target ? { echo: target.echo } : {}),
  };
}

function announce(
  { properties, cases, creates, fingerprint, untested }: RunPlan,
  settings: RunSettings,
): void {
  const { name, seed, keys, shard, emit, maxCreates } = settings;
  const { title, version, source } = settings.contract;
  const isCleaned = !settings.isMock && !settings.keep && !settings.readOnly;
  emit({
    kind: 'run-started',
    target: name,
    contract: { title, version, source },
    seed,
    keys,
    properties: properties.length,
    cases,
    creates: settings.readOnly ? 0 : Math.min(creates, maxCreates),
    ...(isCleaned
      ? { keptForEver: keptForEver(withoutOperations(settings.contract, settings.excluded)) }
      : {}),
    ...(shard === undefined ? {} : { shard: { ...shard, plan: fingerprint, untested } }),
  });
}

/** A phase: properties that run concurrently. */
interface Phase {
  readonly tasks: readonly PlannedProperty[];
  readonly atOnce: number;
  /** The number of concurrent first cases, before any property continues; undefined if they would not help. */
  readonly looksAtOnce?: number;
  /** The share of the run's time at which it ends. */
  readonly share: number;
  /** The number of sequential requests to leave time for after it. */
  readonly reserved: number;
}

/**
 * Returns the phases. Sequences need the most requests, so they start first to avoid waiting for them at the end. If
 * plain requests already fail, the property that sends them runs first, so no other property finds the same again.
 */
function phasesOf(
  { properties }: RunPlan,
  {
    isBroken,
    settings: { connections, maxTimeMs, shard },
  }: { readonly isBroken: boolean; readonly settings: RunSettings },
): readonly Phase[] {
  const [plainest, ...others] = properties.filter(({ phase }) => phase === 'beside-others');
  const ahead = plainest === undefined ? [] : [plainest];
  const beside = (isBroken ? others : [...ahead, ...others]).toSorted(
    (left, right) => right.property.traceChecks.length - left.property.traceChecks.length,
  );
  const last = properties.filter(({ phase }) => phase === 'last');
  // The last phase must run even if time is short. Of a run that is shared out, it is a shard of its own.
  const hasLast = last.length > 0 || (shard?.isLastAlone === true && shard.index < shard.total);
  const share = hasLast ? 0.8 : 1;
  const reserved = last.length === 0 ? 0 : 1 + Math.ceil(last.length / connections);
  const side = { atOnce: connections, looksAtOnce: connections };
  return [
    { tasks: isBroken ? ahead : [], atOnce: 1, share: share / 2, reserved },
    { ...side, tasks: properties.filter(({ phase }) => phase === 'first'), share: share / 2, reserved },
    { ...side, tasks: beside, share, reserved },
    // Properties that may crash the service run last and alone, unless there may be no time for it.
    {
      tasks: last,
      atOnce: 1,
      ...(maxTimeMs === Infinity ? {} : { looksAtOnce: connections }),
      share: 1,
      reserved: 0,
    },
  ];
}

/** Runs the properties of a phase: the first case of each, then its examples, then its random cases. */
async function runPhase(
  { tasks, atOnce, looksAtOnce, share, reserved }: Phase,
  run: OpenRun,
  { opened, tell }: { readonly opened: OpenProperty[]; readonly tell: (property: OpenProperty) => void },
): Promise<void> {
  run.allocate(share, reserved);
  const properties = tasks.map((planned) => new OpenProperty(planned, run));
  opened.push(...properties);
  const tooLong = properties.filter(({ planned }) => isTooLong(planned, run));
  tooLong.forEach((property) => property.giveUp());
  const tried = properties.filter((property) => !tooLong.includes(property));
  const side = {
    tasks: tried,
    atOnce,
    groupOf: ({ planned }: OpenProperty) => planned.property.writesTo,
    isStopped: () => run.isStopped(),
  };
  // Properties of an exclusive group must not interleave. Therefore their first cases run separately.
  for (const fills of [false, true]) {
    const looks = tried.filter((property) => (side.groupOf(property) !== undefined) === fills);
    await runSideBySide({
      ...side,
      tasks: looksAtOnce === undefined ? [] : orderLooks(looks, run),
      atOnce: looksAtOnce ?? 1,
      run: (property) => property.runFirst(),
    });
  }
  // Most errors show in an example. Therefore the random cases of a property must not delay the examples of others, nor
  // its later examples their first ones. Properties that run alone end one after the other.
  const ordered = atOnce === 1 ? tried : orderByKind(tried);
  let open = run.settings.maxTimeMs === Infinity ? ordered : ordered.toSorted(byUnconfirmed);
  for (let upTo = atOnce === 1 ? Infinity : 2; open.length > 0 && !run.isStopped(); upTo *= 2) {
    const most = upTo;
    await runSideBySide({ ...side, tasks: open, run: (property) => property.runExamples(most) });
    open = open.filter((property) => property.hasMoreExamples());
  }
  await runSideBySide({
    ...side,
    async run(property) {
      await property.runRest();
      tell(property);
    },
  });
}

/** Sorts properties with an unconfirmed first finding first, to retry it before the time is over. */
function byUnconfirmed(left: OpenProperty, right: OpenProperty): number {
  return Number(right.hasUnconfirmed()) - Number(left.hasUnconfirmed());
}

/** Orders first cases by kind; in a limited time, by the number of requests, or few and many in turn if there is time for all. */
function orderLooks(properties: readonly OpenProperty[], run: OpenRun): readonly OpenProperty[] {
  const sizeOf = ({ planned }: OpenProperty): number => requestsOfCase(planned.property);
  if (run.settings.maxTimeMs === Infinity) return orderByKind(properties);
  const bySize = properties.toSorted((left, right) => sizeOf(left) - sizeOf(right));
  if (!run.isEnoughFor(bySize.length)) return bySize;
  const small = bySize.slice(0, Math.ceil(bySize.length / 2));
  const large = bySize.slice(small.length).toReversed();
  return small.flatMap((one, index) => [one, ...large.slice(index, index + 1)]);
}

/** Returns whether its cases send many requests each, and one of them may be of a kind that hangs the service. */
function isTooLong({ property: { countsAs = 1 }, phase }: PlannedProperty, run: OpenRun): boolean {
  return countsAs > 1 && phase === 'last' && run.ledger.hangs() > 0;
}

/** Returns the result of a run, complete or not. */
function conclude(of: {
  readonly run: OpenRun;
  readonly plan: RunPlan;
  readonly opened: readonly OpenProperty[];
  readonly properties: readonly PropertyResult[];
  readonly isWhole: boolean;
  readonly startedAt: number;
}): RunResult {
  const { run, plan, opened, properties } = of;
  const { settings, ledger, memory, tally } = run;
  const items = run.items();
  const planned = opened.reduce((cases, property) => cases - property.countUnmade(), plan.cases);
  const withCases = opened
    .filter((property) => !property.isEmpty())
    .map((property) => property.planned.suite);
  for (const { suite, title, none } of plan.suites) {
    const isOpened = opened.some((property) => property.planned.suite === suite);
    if (isOpened && !withCases.includes(suite))
      ledger.notChecked.push({ what: title, reason: none(), notApplicable: true, emptySuite: suite });
  }
  const untried = run.isOutOfTime() ? whatTimeLeftOut(planned, properties, plan) : [];
  const findings = withoutExplained(ledger.findings());
  const isStopped =
    !of.isWhole ||
    run.isStopped() ||
    properties.length + opened.length - withCases.length < plan.properties.length;
  const coverage = run.coverage();
  const settled = settleBaseline({
    // One shard does not find everything; the merged report looks for the entries of the baseline.
    baseline: settings.shard === undefined ? settings.baseline : undefined,
    findings,
    whyPartial: whyPartial(settings, { isStopped, properties, unmade: tally.unmade }),
    hasConnection: settings.socketSend !== undefined,
    untested: plan.untested,
  });
  return {
    seed: settings.seed,
    keys: settings.keys,
    findings,
    notes: ledger.notes(),
    properties,
    planned,
    notChecked: [
      ...whatWasNotMade(run),
      ...ledger.notChecked,
      ...whatWasNotFound(coverage),
      ...settled.notChecked,
      ...untried,
    ],
    requests: tally.requests,
    durationMs: performance.now() - of.startedAt,
    waits: tally.waits,
    interrupted: settings.signal?.aborted === true,
    brokenOff: memory.isGone ? memory.brokenOff.map(({ judged }) => judged).toSorted(bySuspicion) : [],
    coverage,
    latency: run.latencies.conclude(settings.maxResponseMs),
    ...(items === undefined ? {} : { items }),
    gone: settled.gone,
    ...describeParity(run, plan, findings),
  };
}

/** Returns the cases that were skipped at the limit of created items. */
function whatWasNotMade({ tally: { unmade }, settings: { maxCreates } }: OpenRun): readonly NotChecked[] {
  const what = `${unmade.toLocaleString('en-US')} ${unmade === 1 ? 'case' : 'cases'}`;
  return unmade === 0 ? [] : [{ what, reason: `not sent, because of --max-creates ${maxCreates}` }];
}

/** Returns the cases and suites that were not run for lack of time. */
function whatTimeLeftOut(
  planned: number,
  properties: readonly PropertyResult[],
  plan: RunPlan,
): readonly NotChecked[] {
  const tried = properties.reduce((sum, { cases }) => sum + cases, 0);
  if (tried >= planned) return [];
  const [left, all, done] = [planned - tried, planned, tried].map((count) => count.toLocaleString('en-US'));
  return [
    {
      what: `${left} of ${all} cases`,
      reason: `stopped by --max-time after ${done}; give more time, or fewer cases with --runs`,
    },
    ...plan.suites.flatMap(({ suite, title }) => {
      const of = plan.properties.filter((each) => each.suite === suite).length;
      const begun = properties.filter((each) => each.suite === suite).length;
      return begun > 0 || of === 0
        ? []
        : [{ what: title, reason: 'stopped by --max-time before any of its properties was tried' }];
    }),
  ];
}

/** Sorts concurrent requests: those that are not plain are more likely to have crashed the service. */
function bySuspicion(left: CheckedExchange, right: CheckedExchange): number {
  const isPlain = ({ request }: CheckedExchange): boolean => describeTrigger(request).trigger === undefined;
  return Number(isPlain(left)) - Number(isPlain(right));
}

/** Returns the comparison of two services; nothing if there is only one. */
function describeParity(
  { settings: { against }, referenceService }: OpenRun,
  plan: RunPlan,
  findings: readonly RunFinding[],
): Pick<RunResult, 'parity'> {
  if (against === undefined || referenceService === undefined) return {};
  const { compared, differing, hangs: unanswered } = referenceService.tally;
  const { name, names, policy } = against;
  const notCompared = whatIsNotCompared(plan);
  const proposal = proposePolicy(findings, policy);
  return { parity: { name, names, compared, differing, unanswered, notCompared, proposal } };
}
