import { plainRequest } from '../arbitrary/request.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { Operation } from '../contract/contract.ts';
import { fingerprint } from '../json/fingerprint.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { NotChecked, PropertyResult } from '../events/events.ts';
import type { RunSettings } from '../session/target.ts';
import { actsOnService } from '../contract/service-operations.ts';
import { pickShard } from './shard.ts';
import type { Property, Suite } from './suite.ts';
import { nameOperations } from '../contract/select-operations.ts';
import { describeLeftOut, selectTargets } from './target-operations.ts';

/** Returns the maximum number of cases of a property if a usual one has `runs`. Creates no example. */
export function countCases(property: Property, runs: number): number {
  const { countsAs = 1 } = property;
  const mayBeRandom = property.mayBeRandom ?? property.arbitrary !== undefined;
  if (mayBeRandom && countsAs === 1) return runs;
  const examples = property.mostExamples ?? property.examples.length;
  return mayBeRandom ? Math.max(examples, Math.ceil(runs / countsAs)) : examples;
}

/** Returns the number of cases after the examples are created. */
export function countMadeCases({ examples, arbitrary, countsAs = 1 }: Property, runs: number): number {
  if (examples.length === 0 && arbitrary === undefined) return 0;
  if (arbitrary === undefined) return examples.length;
  return countsAs === 1 ? runs : Math.max(examples.length, Math.ceil(runs / countsAs));
}

/** Returns the maximum number of requests that one case of a property sends. */
export function requestsOfCase({ mostRequests, countsAs = 1 }: Property): number {
  return mostRequests ?? countsAs;
}

/** The default number of cases: enough for random cases to find rare problems. */
const usualRuns = 100;
/** The minimum number of cases, even with many properties. */
const fewestRuns = 10;

/**
 * Returns the request budget of a run without `--runs`: about the requests that a local service handles in 3 s for one
 * operation, in 20 s for 20 operations, and in two minutes for hundreds.
 */
function requestBudget(operations: number): number {
  return Math.min(90_000, 3_400 + 700 * operations);
}

/** Returns the number of cases per property that fits the budget of a document. */
function spreadRuns(properties: readonly Property[], operations: number): number {
  const budget = requestBudget(operations);
  const planned = (runs: number): number =>
    properties.reduce((sum, property) => sum + countCases(property, runs) * requestsOfCase(property), 0);
  // For a document with thousands of operations, this is already decided.
  if (planned(fewestRuns) > budget) return fewestRuns;
  let runs = usualRuns;
  while (runs > fewestRuns && planned(runs) > budget) {
    runs -= 5;
  }
  return runs;
}

/** A property and its suite. */
export interface PlannedProperty {
  readonly suite: string;
  readonly property: Property;
  /** The start of a replay. */
  readonly path: string | undefined;
  /** `service` runs after all others, because its requests may crash the service. */
  readonly phase: NonNullable<Property['phase']> | 'service';
  /** The number of cases of a usual property in this run. */
  readonly runs: number;
}

/** The plan of a run. */
export interface RunPlan {
  /** The properties of this run: of a shard, only its part. */
  readonly properties: readonly PlannedProperty[];
  /** The first property of the whole run. */
  readonly first: PlannedProperty;
  /** Identifies the whole plan: shards of one run have the same one. */
  readonly fingerprint: string;
  /** The suites of the properties, and the reason to report if a suite has no case. */
  readonly suites: readonly { readonly suite: string; readonly title: string; readonly none: () => string }[];
  readonly notChecked: readonly NotChecked[];
  /** The ids of the operations that the run does not test in full. */
  readonly untested: readonly string[];
  /** The maximum numbers of cases, without shrinking, and of requests that they send. */
  readonly cases: number;
  readonly creates: number;
}

/** Plans the properties of suites. Adds what they do not check to `notChecked`. */
function planSuites(
  suites: readonly Suite[],
  settings: RunSettings,
  of: {
    readonly contract: RunSettings['contract'];
    /** The operations that affect the whole service. */
    readonly ofService: readonly Operation[];
    readonly notChecked: NotChecked[];
  },
): { readonly all: readonly Omit<PlannedProperty, 'runs'>[]; readonly planned: RunPlan['suites'] } {
  const { policy, enforced, against, unsafeMethods, socketSend, whyNoSocket } = settings;
  const { contract, ofService, notChecked } = of;
  const hasOtherUser = settings.users?.other !== undefined || (settings.isMock ? undefined : false);
  const all: Omit<PlannedProperty, 'runs'>[] = [];
  const planned: RunPlan['suites'][number][] = [];
  // If two services are compared, unspecified behaviours are also tried.
  const ofResources = Object.values(behaviours).flatMap(({ id, isOfResources }) =>
    isOfResources ? [id] : [],
  );
  const tried =
    against === undefined ? enforced : new Set([...enforced, 'auth-order' as const, ...ofResources]);
  for (const suite of suites) {
    const plan = suite.plan({ contract, policy, enforced: tried, unsafeMethods, hasOtherUser });
    const last =
      suite.sendsPlainly === true && ofService.length > 0
        ? suite.plan({ contract: { ...contract, operations: ofService }, policy, enforced, unsafeMethods })
        : undefined;
    for (const property of last?.kind === 'properties' ? last.properties : []) {
      all.push({ suite: suite.id, property, path: undefined, phase: 'service' });
    }
    notChecked.push(...(plan.notChecked ?? []));
    if (plan.kind === 'not-applicable') {
      notChecked.push({ what: suite.title, reason: plan.reason, notApplicable: true });
      continue;
    }
    const { none = () => 'it has nothing to try on this document' } = plan;
    planned.push({ suite: suite.id, title: suite.title, none });
    const possible = plan.properties.filter(
      ({ via }) => via !== 'socket' || (socketSend !== undefined && whyNoSocket === undefined),
    );
    if (possible.length < plan.properties.length) {
      notChecked.push({ what: suite.title, reason: whyNoSocket ?? noConnection });
    }
    for (const property of possible) {
      const { phase = 'beside-others' } = property;
      all.push({ suite: suite.id, property, path: undefined, phase });
    }
  }
  return { all, planned };
}

/**
 * Plans the properties of all suites for the contract.
 * @throws ClocheError OPTION_INVALID if `path` names no property, there are no cases, or the id range is too small
 */
export function planRun(suites: readonly Suite[], settings: RunSettings): RunPlan {
  const { path, shard, keys } = settings;
  const { targets, leftOut } = selectTargets(settings);
  // The plan of a shard must not depend on the speed of the machine.
  const isWhole = path !== undefined || shard !== undefined;
  const ready = isWhole ? targets : targets.slice(0, countReady(targets, settings.maxTimeMs));
  const notChecked = leftOut.map(describeLeftOut);
  if (ready.length < targets.length) {
    notChecked.push({ what: nameOperations(targets.slice(ready.length)), reason: notReady });
  }
  const ofService = ready.filter(actsOnService);
  const operations = ready.filter((each) => !ofService.includes(each));
  const contract =
    operations.length === settings.contract.operations.length
      ? settings.contract
      : { ...settings.contract, operations };
  const { all, planned } = planSuites(suites, settings, { contract, ofService, notChecked });
  const runs =
    settings.runs ??
    spreadRuns(
      all.map(({ property }) => property),
      contract.operations.length,
    );
  const every = all.map((one): PlannedProperty => ({ ...one, runs }));
  const whole = path === undefined ? every : pickReplayed(every, path);
  if (settings.runs === undefined && path === undefined && runs < usualRuns) {
    notChecked.push({
      what: 'random cases',
      reason: `Ran ${runs} random cases per property instead of ${usualRuns}; --runs ${usualRuns} runs them all.`,
    });
  }
  const [first] = whole;
  if (first === undefined) throw nothingToTry(suites, settings, targets.length);
  // Properties of an exclusive group must not run at the same time, so they stay in one shard.
  const keyOf = ({ suite, property }: PlannedProperty): string =>
    property.writesTo ?? `${suite}/${property.id}`;
  const sizeOf = ({ property }: PlannedProperty): number =>
    countCases(property, runs) * requestsOfCase(property);
  const isAlone = ({ phase }: PlannedProperty): boolean => phase === 'last' || phase === 'service';
  const properties = shard === undefined ? whole : pickShard(whole, shard, { keyOf, sizeOf, isAlone });
  let cases = 0;
  let creates = 0;
  for (const { property } of properties) {
    const count = countCases(property, runs);
    cases += count;
    creates += count * requestsOfCase(property);
  }
  const [from, to] = keys;
  if (to - from + 1 < creates) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'test with the ids',
      subject: `${from} to ${to}`,
      reason: `the range has ${to - from + 1} ids, but this run needs ${creates}`,
      remedy: 'Give a larger range with --ids, or fewer cases with --runs',
    });
  }
  return {
    properties,
    first,
    fingerprint: fingerprint(whole.map((one) => `${keyOf(one)} ${sizeOf(one)}`).join('\n')),
    suites: path === undefined ? planned : [],
    notChecked,
    untested: listUntested(settings, new Set(ready)),
    cases,
    creates,
  };
}

/** Lists the operations that are not tested, and those of a resource whose create is not: its bad bodies are not stored. */
function listUntested(
  { contract, excluded }: RunSettings,
  tested: ReadonlySet<Operation>,
): readonly string[] {
  const all = [...new Set([...excluded, ...contract.operations])];
  const uncreated = new Set(
    all.flatMap((each) => (each.kind.kind === 'create' && !tested.has(each) ? [each.kind.resource] : [])),
  );
  const isLeftOut = (each: Operation): boolean =>
    !tested.has(each) || ('resource' in each.kind && uncreated.has(each.kind.resource));
  return all.filter(isLeftOut).map(({ id }) => id);
}

/** Returns the error for a run without properties. `left` is the number of operations that are not left out. */
function nothingToTry(suites: readonly Suite[], { contract }: RunSettings, left: number): ClocheError {
  const all = contract.operations.length;
  const [suite] = suites;
  const isPart = left < all;
  const what =
    suite !== undefined && suites.length === 1
      ? `the suite ${suite.id} has nothing to try on`
      : 'no suite has anything to try on';
  return new ClocheError('OPTION_INVALID', {
    attempt: 'test',
    subject: contract.source,
    reason: isPart ? `${left} of ${all} operations remain, and ${what} them` : `${what} it`,
    remedy: isPart
      ? 'Leave out fewer operations, or run other suites'
      : 'Name a document with operations, or other suites',
  });
}

const notReady = 'getting them ready would have taken too much of --max-time: give more time';

/** The share of the run's time for preparing its operations. */
const readyShare = 0.25;

/** Returns the number of operations that are prepared in time: a plain request needs compiled schemas. */
function countReady(operations: readonly Operation[], maxTimeMs: number): number {
  const until = performance.now() + maxTimeMs * readyShare;
  const late = operations.findIndex((operation) => {
    plainRequest(operation);
    return performance.now() > until;
  });
  return late === -1 ? operations.length : late + 1;
}

const noConnection = 'in process there is no connection; give a base URL to have it checked';

const pathForm = /^([^/]+)\/(.+?):(\d+(?::\d+)*)$/u;

function pickReplayed(properties: readonly PlannedProperty[], path: string): readonly PlannedProperty[] {
  const [, suite, id, inside] = pathForm.exec(path) ?? [];
  const planned = properties.find((entry) => entry.suite === suite && entry.property.id === id);
  if (planned === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'replay',
      subject: path,
      reason: 'no suite of this contract has such a property',
      remedy: 'Give --path as a finding printed it, with the same document and suites',
    });
  }
  return [{ ...planned, path: inside }];
}

/** Returns why a run was incomplete; undefined if it was complete. */
export function whyPartial(
  { path, baseline, signal }: Pick<RunSettings, 'path' | 'baseline' | 'signal'>,
  run: {
    readonly isStopped: boolean;
    readonly properties: readonly PropertyResult[];
    /** The number of cases over the limit of created items. */
    readonly unmade?: number;
  },
): string | undefined {
  if (path !== undefined) return 'one case alone was run';
  if (signal?.aborted === true) return 'the run was interrupted';
  if (run.isStopped) return 'the run stopped before its end';
  if ((run.unmade ?? 0) > 0) return 'cases were not sent, because of --max-creates';
  const givenUp = run.properties.find(({ verdict }) => verdict === 'given-up');
  return givenUp === undefined ? baseline?.partly : `${givenUp.suite}/${givenUp.property} was given up`;
}
