import { rankTrigger } from '../check/describe.ts';
import type { CheckId } from '../check/finding.ts';
import type {
  Conclusions,
  FoundCause,
  KeywordCoverage,
  OperationCoverage,
  RunEvent,
  RunFinding,
  RunResult,
  TrafficEvent,
  TrafficFinding,
  TrafficResult,
} from '../events/events.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { Report, ReportOptions, RunEnd } from './report.ts';

/**
 * Counts the observed values of each behaviour that the document does not specify, over all operations, in the order of
 * the behaviours. The most frequent values come first.
 */
export function collectAnswers(notes: Conclusions['notes']): readonly {
  readonly question: BehaviourId;
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}[] {
  const seen = notes.flatMap(({ finding: { check, clause, received }, count }) => {
    if (clause.kind !== 'policy') return [];
    return [{ question: clause.question, answer: received, count, isAside: check === 'undeclared-status' }];
  });
  // Notes of a check that tests the behaviour directly replace those of checks that only tolerated it.
  const asked = new Set(seen.flatMap(({ question, isAside }) => (isAside ? [] : [question])));
  return Object.values(behaviours).flatMap(({ id }) => {
    const counts = new Map<string, number>();
    for (const { question, answer, count, isAside } of seen) {
      if (question === id && !(isAside && asked.has(id))) {
        counts.set(answer, count + (counts.get(answer) ?? 0));
      }
    }
    const answers = [...counts].map(([answer, count]) => ({ answer, count }));
    return answers.length === 0
      ? []
      : [{ question: id, answers: answers.toSorted((left, right) => right.count - left.count) }];
  });
}

interface Collected<Kind, Started, Result> {
  readonly kind: Kind;
  readonly started: Started;
  /** The start time, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Empty if the run ended without a result. */
  readonly result: Result;
  readonly end: RunEnd;
}

/** A run of suites that has ended. */
export type CollectedSuites = Collected<'suites', Extract<RunEvent, { kind: 'run-started' }>, RunResult>;

/** Checked traffic that has ended. */
export type CollectedTraffic = Collected<
  'traffic',
  Extract<TrafficEvent, { kind: 'traffic-started' }>,
  TrafficResult
>;

/** A run of suites, or checked traffic, that has ended. */
export type CollectedRun = CollectedSuites | CollectedTraffic;

/** The conclusions of a run that ended without a result. */
const nothing = { notes: [], notChecked: [], interrupted: false, coverage: [], gone: [] };

/** Returns the result of a run that ended without one. */
export function emptyResult(
  { seed, keys, cases: planned }: CollectedSuites['started'],
  of: Pick<RunResult, 'requests' | 'durationMs' | 'findings'>,
): RunResult {
  return { ...nothing, ...of, seed, keys, planned, waits: 0, properties: [], brokenOff: [] };
}

/**
 * Creates a report that is written when a run, or the check of traffic, has ended. It stores no exchange, and writes
 * nothing if the run ended before it began.
 *
 * @param watch - also reads each event
 */
export function createEndReport(
  { now }: Pick<ReportOptions, 'now'>,
  write: (run: CollectedRun) => void,
  watch: Report['read'] = () => undefined,
): Report {
  let started: CollectedRun['started'] | undefined;
  let startedAt = 0;
  let result: RunResult | undefined;
  let trafficResult: TrafficResult | undefined;
  let requests = 0;
  const findings: RunFinding[] = [];
  const trafficFindings: TrafficFinding[] = [];
  return {
    read(event) {
      watch(event);
      if (event.kind === 'run-started' || event.kind === 'traffic-started') {
        started = event;
        startedAt = now();
      }
      if (event.kind === 'exchange' || event.kind === 'traffic-exchange') requests += 1;
      if (event.kind === 'finding') findings.push(event.finding);
      if (event.kind === 'traffic-finding') trafficFindings.push(event.finding);
      if (event.kind === 'run-finished') ({ result } = event);
      if (event.kind === 'traffic-finished') trafficResult = event.result;
    },
    end(end) {
      if (started === undefined) return;
      const durationMs = now() - startedAt;
      if (started.kind === 'traffic-started') {
        const none = { ...nothing, durationMs, findings: trafficFindings, judged: requests, unjudged: [] };
        write({ kind: 'traffic', started, startedAt, end, result: trafficResult ?? none });
        return;
      }
      const none = emptyResult(started, { durationMs, requests, findings });
      write({ kind: 'suites', started, startedAt, end, result: result ?? none });
    },
  };
}

/** A number of exercised things out of all. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

interface CoverageSummary {
  /** Operations that returned a success for a valid request. */
  readonly succeeded: Share;
  /** Declared responses that were received. */
  readonly responses: Share;
  /** Keywords of bodies and parameters that some values met and some broke. */
  readonly requestKeywords: Share;
  /** Keywords of responses that values met. Only the service decides whether a response breaks one. */
  readonly answerKeywords: Share;
}

/** Returns whether a keyword was exercised: by valid and invalid requests, or by responses with the relevant part. */
export function isExercised({ of, met, broken }: KeywordCoverage): boolean {
  return met > 0 && (of === 'response' || broken > 0);
}

/** Sums up the coverage of all operations. */
export function summarizeCoverage(coverage: readonly OperationCoverage[]): CoverageSummary {
  const share = <T>(all: readonly T[], isDone: (one: T) => boolean): Share => ({
    done: all.filter(isDone).length,
    of: all.length,
  });
  const responses = coverage.flatMap((operation) => operation.responses);
  const keywords = coverage.flatMap((operation) => operation.keywords);
  const ofRequests = keywords.filter(({ of }) => of !== 'response');
  const ofAnswers = keywords.filter(({ of }) => of === 'response');
  return {
    succeeded: share(coverage, ({ accepted }) => accepted > 0),
    responses: share(responses, ({ seen }) => seen > 0),
    requestKeywords: share(ofRequests, isExercised),
    answerKeywords: share(ofAnswers, isExercised),
  };
}

/** A fault of the service, and the findings that show it. */
export interface Fault<Found extends FoundCause> {
  /** The finding with the most usual trigger. */
  readonly first: Found;
  /** The other findings: of other operations or with other triggers. */
  readonly others: readonly Found[];
}

/** The number of accepted invalid values after which an operation counts as one that does not validate requests. */
const fewestUnvalidated = 3;
const ofUnvalidated = new Set<CheckId>(['invalid-body-accepted', 'invalid-parameter-accepted']);
/** A replace that keeps an omitted property keeps every property. */
const ofAllProperties = new Set<CheckId>(['replace-is-partial']);

/**
 * Groups findings by operation and cause. All missing validation of an operation is one cause. Groups of other operations
 * that may show the same fault have an equal `base`.
 */
function groupByCause<Found extends FoundCause>(findings: readonly Found[]) {
  // A known finding must not hide a new one.
  const baseOf = ({ finding: { check, level }, known }: Found): string =>
    [level, check, known === undefined ? 'new' : 'known'].join('\0');
  const causeOf = (found: Found): string => `${baseOf(found)}\0${found.finding.cause}`;
  const byPlace = groupBy(findings, (found) => `${baseOf(found)}\0${found.finding.operation}`);
  return [...byPlace.values()].flatMap((atPlace) => {
    const causes = groupBy(atPlace, causeOf);
    const isUnvalidated = atPlace.some(
      ({ finding: { check } }) =>
        ofAllProperties.has(check) || (ofUnvalidated.has(check) && causes.size >= fewestUnvalidated),
    );
    return isUnvalidated
      ? atPlace.slice(0, 1).map((found) => ({ base: baseOf(found), all: atPlace }))
      : [...causes].map(([base, all]) => ({ base, all }));
  });
}

/** Ranks server errors before other violations, and violations before warnings. */
function rankFault({ first: { finding } }: Fault<FoundCause>): number {
  return finding.level === 'violation' ? Number(finding.check !== 'server-error') : 2;
}

/**
 * Groups findings by fault, the most severe fault first. Findings of one fault differ in the operation, in the trigger,
 * or in the location of a schema that an operation does not enforce; the most usual trigger comes first.
 */
export function groupFaults<Found extends FoundCause>(findings: readonly Found[]): readonly Fault<Found>[] {
  const byTrigger = (all: readonly Found[]): readonly Found[] =>
    all.toSorted((left, right) => rankTrigger(left.finding.trigger) - rankTrigger(right.finding.trigger));
  const groups = groupByCause(findings).map(({ base, all }) => ({ base, all: byTrigger(all) }));
  // Operations that fail on different kinds of request have different faults.
  const faults = groupBy(groups, ({ base, all: [first] }) => {
    const { trigger = '' } = first?.finding ?? {};
    return `${base}\0${trigger.replace(/ at \/\S*/u, '')}`;
  });
  return [...faults.values()]
    .map((alike) => byTrigger(alike.flatMap(({ all }) => all)))
    .flatMap(([first, ...others]) => (first === undefined ? [] : [{ first, others }]))
    .toSorted((left, right) => rankFault(left) - rankFault(right));
}

/** Lists the other findings of a fault in words: other operations first, then other triggers of the same operation. */
export function describeOthers({ first, others }: Fault<FoundCause>): readonly string[] {
  const isHere = ({ finding }: FoundCause): boolean => finding.operation === first.finding.operation;
  const elsewhere = groupBy(
    others.filter((found) => !isHere(found)),
    ({ finding }) => finding.operation,
  );
  return [
    ...[...elsewhere].map(([operation, [one, ...more]]) => {
      const count = more.length === 0 ? '' : ` and ${more.length} more`;
      return `at ${operation} [${one?.id ?? ''}${count}]`;
    }),
    ...others.filter(isHere).map(({ finding: { cause, trigger, expected }, id }) => {
      const words =
        cause === first.finding.cause
          ? (trigger ?? 'a plain request')
          : expected.replace(/^a refusal, since /u, '');
      return `${words} [${id}]`;
    }),
  ];
}

/** Groups values by a string, in their order. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(value);
  }
  return groups;
}
