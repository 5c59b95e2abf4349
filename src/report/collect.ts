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
import type { QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import type { Report, ReportOptions, RunEnd } from './report.ts';

/** How a service answers a question that the document does not specify, the most frequent answer first. */
interface CollectedAnswers {
  readonly question: QuestionId;
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}

/** The answers to each question that was met, on all operations together, in the order of the questions. */
export function collectAnswers(notes: Conclusions['notes']): readonly CollectedAnswers[] {
  const seen = notes.flatMap(({ finding: { check, clause, received }, count }) => {
    if (clause.kind !== 'policy') return [];
    return [{ question: clause.question, answer: received, count, isAside: check === 'undeclared-status' }];
  });
  // What was seen of a question for its own sake stands for what other checks let pass on its account.
  const asked = new Set(seen.flatMap(({ question, isAside }) => (isAside ? [] : [question])));
  return Object.values(questions).flatMap(({ id }) => {
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
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Of what ended before it came to anything, one that is empty. */
  readonly result: Result;
  readonly end: RunEnd;
}

/** A run of suites as it stands once it has ended. */
export type CollectedSuites = Collected<'suites', Extract<RunEvent, { kind: 'run-started' }>, RunResult>;

/** Judged traffic as it stands once it has ended. */
export type CollectedTraffic = Collected<
  'traffic',
  Extract<TrafficEvent, { kind: 'traffic-started' }>,
  TrafficResult
>;

/** What was reported on, once it has ended. */
export type CollectedRun = CollectedSuites | CollectedTraffic;

/** What a run came to that ended before it came to anything. */
const nothing = { notes: [], notChecked: [], interrupted: false, coverage: [], gone: [] };

/**
 * Creates a report that is written when a run, or the judging of traffic, has ended. It keeps no exchange, and writes nothing
 * if the run ended before it began.
 *
 * @param watch - reads each event too
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
      const { seed, keys, cases: planned } = started;
      const counts = { durationMs, planned, requests, waits: 0 };
      const none = { ...nothing, ...counts, seed, keys, findings, properties: [], brokenOff: [] };
      write({ kind: 'suites', started, startedAt, end, result: result ?? none });
    },
  };
}

/** How much of something was exercised. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

interface CoverageSummary {
  /** Operations that answered a request without a fault with a success. */
  readonly succeeded: Share;
  /** Declared responses that came. */
  readonly responses: Share;
  /** Keywords of bodies and parameters that were met, and broken too. */
  readonly requestKeywords: Share;
  /** Keywords of answers that were met; whether they are broken is the service's doing. */
  readonly answerKeywords: Share;
}

/** Whether a keyword was exercised: by requests on both sides, by answers as far as they hold what it is about. */
export function isExercised({ of, met, broken }: KeywordCoverage): boolean {
  return met > 0 && (of === 'response' || broken > 0);
}

/** Adds the coverage of all operations up. */
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
  /** The one with the most usual trigger. */
  readonly first: Found;
  /** The others, at other operations or with other triggers. */
  readonly others: readonly Found[];
}

/** An operation that lets pass what so many places of its schema refuse does not hold requests against it. */
const fewestUnvalidated = 3;
const ofUnvalidated = new Set<CheckId>(['invalid-body-accepted', 'invalid-parameter-accepted']);
/** A replace that keeps what is left out keeps every property. */
const ofAllProperties = new Set<CheckId>(['replace-is-partial']);

/** Findings of one operation that have one cause. */
interface CauseGroup<Found extends FoundCause> {
  /** Equal for groups of other operations that may show the same fault. */
  readonly base: string;
  readonly all: readonly Found[];
}

/** Groups findings by operation and cause; all that an operation does not validate is one cause. */
function groupByCause<Found extends FoundCause>(findings: readonly Found[]): readonly CauseGroup<Found>[] {
  // A known finding does not stand for a new one.
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

/** Server errors come first among the violations, and violations before warnings. */
function rankFault({ first: { finding } }: Fault<FoundCause>): number {
  return finding.level === 'violation' ? Number(finding.check !== 'server-error') : 2;
}

/**
 * Groups findings by the fault that they show, the gravest fault first. Findings of one fault differ in the operation, in
 * the trigger, or in the place of a schema that an operation does not enforce; the most usual trigger comes first.
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

/** Values by what they have in common, in the order in which they come. */
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
