import { createTextStyle } from '../errors/console-text.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { NotChecked, PropertyResult, RunResult } from '../events/events.ts';
import {
  type CollectedRun,
  type CollectedSuites,
  type CollectedTraffic,
  createEndReport,
} from './collect.ts';
import { type FindingView, viewFindings } from './view/finding-view.ts';
import type { Report, ReportEvent, ReportOptions } from './report.ts';
import { renderView } from './text/finding.ts';
import { plural } from './format.ts';
import { describeRunVerdict } from './text/verdict.ts';

/** A test of a run, in reports that have tests: a property, or an operation of traffic. Its texts are redacted. */
export interface TestCase {
  readonly suite: string;
  readonly name: string;
  /** The times of its first request and of its last response, in milliseconds since 1970; undefined for traffic. */
  readonly span?: Span | undefined;
  readonly outcome: Outcome;
  /** Additional text of the test. */
  readonly output?: string;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The result of a test. A failure is a finding that fails the run, an error an incomplete run. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly message: string }
  | {
      readonly kind: 'failure' | 'error';
      readonly type: string;
      readonly message: string;
      readonly text: string;
      /** The finding; undefined if the run as a whole fails. */
      readonly view?: FindingView;
    };

/** Data that the tests are built from, in addition to the run. */
interface CaseSource {
  readonly options: ReportOptions;
  readonly redactor: Redactor;
  /** Times by property name. */
  readonly spans: ReadonlyMap<string, Span>;
  readonly findings: readonly FindingView[];
}

/** Creates a report of the tests of a run. It is written when the run has ended, and stores no exchange. */
export function createTestReport(
  options: ReportOptions,
  write: (run: CollectedRun, cases: readonly TestCase[]) => void,
): Report {
  const spans = new Map<string, Span>();

  function watch(event: ReportEvent): void {
    if (event.kind !== 'exchange') return;
    const name = `${event.suite}/${event.property}`;
    const { from, to } = spans.get(name) ?? { from: event.startedAt, to: event.startedAt };
    const endedAt = event.startedAt + event.judged.exchange.durationMs;
    spans.set(name, { from: Math.min(from, event.startedAt), to: Math.max(to, endedAt) });
  }

  return createEndReport(
    options,
    (run) => {
      const findings = viewFindings(run.result.findings, options);
      const source = { options, redactor: createRedactor(options.secrets), spans, findings };
      write(run, [
        ...(run.kind === 'traffic' ? listTrafficCases(run, source) : listSuiteCases(run, source)),
        ...listRunProblems(run, options).map(toRunCase),
      ]);
    },
    watch,
  );
}

/** Lists the tests of a run: its properties, and what was not checked. */
function listSuiteCases({ result }: CollectedSuites, source: CaseSource): readonly TestCase[] {
  const { options, redactor, spans, findings } = source;
  const tested = new Set(result.properties.map(({ suite, property }) => `${suite}/${property}`));
  const never = new Set(result.coverage.flatMap((one) => (one.accepted === 0 ? [one.operation] : [])));
  const isLeftOut = ({ what, notApplicable }: NotChecked): boolean =>
    notApplicable !== true && !tested.has(what) && !never.has(what) && options.replayed === undefined;
  return [
    ...listTried(result).flatMap((tried) => {
      const { suite, property } = tried;
      const own = findings.filter(
        ({ found }) => 'suite' in found && found.suite === suite && found.property === property,
      );
      const span = spans.get(`${suite}/${property}`);
      const outcome = outcomeWithoutFailure({ ...tried, isFound: own.length > 0 }, result, source);
      return toCases({ suite, name: property, span, outcome }, own);
    }),
    ...result.coverage
      .filter(({ accepted }) => accepted === 0 && options.replayed === undefined)
      .map(({ operation, reason = 'never answered with a success' }) =>
        toSkippedCase('never-answered', [operation, reason], redactor),
      ),
    ...result.notChecked
      .filter(isLeftOut)
      .map(({ what, reason }) => toSkippedCase('not-checked', [what, reason], redactor)),
  ];
}

/** Returns a skipped test with the reason; its texts are redacted. */
function toSkippedCase(
  suite: string,
  [name, reason]: readonly [name: string, reason: string],
  { text }: Redactor,
): TestCase {
  return { suite, name: text(name), outcome: { kind: 'skipped', message: text(reason) } };
}

type Tried = Pick<PropertyResult, 'suite' | 'property' | 'verdict'>;

/** Lists the properties that ended, and those with findings that the run did not finish. */
function listTried({ properties, findings }: RunResult): readonly Tried[] {
  const tried = new Map<string, Tried>();
  const unfinished = findings.map(({ suite, property }) => ({ suite, property, verdict: 'broken' as const }));
  for (const one of [...properties, ...unfinished]) {
    const name = `${one.suite}/${one.property}`;
    tried.set(name, tried.get(name) ?? one);
  }
  return [...tried.values()];
}

/** Returns the outcome of a property without a finding that fails the run. */
function outcomeWithoutFailure(
  { suite, property, verdict, isFound }: Tried & { readonly isFound: boolean },
  { notChecked }: RunResult,
  { options, redactor }: CaseSource,
): Outcome {
  if (verdict === 'cut-off') return { kind: 'skipped', message: 'the run ended before its cases did' };
  if (verdict === 'given-up' || verdict === 'unjudged') {
    const reason = notChecked.find(({ what }) => what === `${suite}/${property}`)?.reason;
    return { kind: 'skipped', message: redactor.text(reason ?? 'no case of it showed anything') };
  }
  const countsAgainst = verdict === 'broken' || (verdict === 'warned' && options.strict);
  // One cause is one finding. It fails the property that found it first; the others are skipped.
  return isFound || !countsAgainst
    ? { kind: 'passed' }
    : { kind: 'skipped', message: 'not held, because of a finding elsewhere in this report' };
}

/** Lists the tests of traffic: the operations that it reached, and the exchanges that could not be judged. */
function listTrafficCases({ result }: CollectedTraffic, source: CaseSource): readonly TestCase[] {
  const { redactor, findings } = source;
  const requests = new Map(result.coverage.map((one) => [one.operation, one.requests]));
  const operations = new Set([
    ...requests.keys(),
    ...result.findings.map(({ finding }) => finding.operation),
  ]);
  return [
    ...[...operations].flatMap((name) => {
      const own = findings.filter(({ found }) => found.finding.operation === name);
      const isReached = own.length > 0 || (requests.get(name) ?? 0) > 0;
      const outcome: Outcome = isReached
        ? { kind: 'passed' }
        : { kind: 'skipped', message: 'no exchange reached it' };
      return toCases({ suite: 'traffic', name, outcome }, own);
    }),
    ...result.unjudged.map(({ reason, count, first }) =>
      toSkippedCase('not-judged', [reason, `${plural(count, 'exchange')}, the first: ${first}`], redactor),
    ),
  ];
}

/** A problem of a run as a whole, in words without secrets. */
export interface RunProblem {
  readonly type: 'interrupted' | 'cannot-judge' | 'min-coverage';
  readonly message: string;
}

/** Lists why a run fails apart from its findings: it is incomplete, or it exercised too few operations. */
export function listRunProblems(
  { end, result }: CollectedRun,
  options: ReportOptions,
): readonly RunProblem[] {
  if (result.interrupted) {
    return [{ type: 'interrupted', message: 'The run was interrupted; this is what was found until then.' }];
  }
  if (!end.isWhole) {
    const { text } = createRedactor(options.secrets);
    return [{ type: 'cannot-judge', message: text(end.why ?? 'The service can no longer be judged.') }];
  }
  const { lacks } = describeRunVerdict(result, { ...options, isWhole: true, isThinNews: false });
  return lacks.map((message) => ({ type: 'min-coverage', message }));
}

function toRunCase({ type, message }: RunProblem): TestCase {
  const isWhole = type === 'min-coverage';
  const kind = isWhole ? 'failure' : 'error';
  const name = isWhole ? 'enough operations are answered with a success' : 'the run comes to its end';
  return { suite: 'run', name, outcome: { kind, type, message, text: message } };
}

/**
 * Returns the tests of a property or an operation. `usual` is the test without failures. JUnit readers read only one
 * failure of a test, so each further fault becomes another test, named by its id. Each fault fails one test.
 */
function toCases(usual: TestCase, own: readonly FindingView[]): readonly TestCase[] {
  const isFailure = ({ id, fails, fault }: FindingView): boolean => fails && fault === id;
  const [first, ...others] = own.filter(isFailure);
  // The test prints the other findings, and names the failures that they belong to.
  const aside = own.filter((view) => !isFailure(view));
  const output = aside.map(renderText).join('\n\n');
  const same = aside.filter(({ fails }) => fails).map(({ fault }) => fault);
  const message = `shows the same fault as ${[...new Set(same)].join(', ')}`;
  const unfailed: Outcome = same.length === 0 ? usual.outcome : { kind: 'skipped', message };
  const outcome = first === undefined ? unfailed : toFailure(first);
  return [
    { ...usual, outcome, ...(output === '' ? {} : { output }) },
    ...others.map((view) => ({
      suite: usual.suite,
      name: `${usual.name} (${view.id})`,
      outcome: toFailure(view),
    })),
  ];
}

function toFailure(view: FindingView): Outcome {
  const { found, title, expected, received } = view;
  const message = `${title}: expected ${expected}, received ${received}`;
  return { kind: 'failure', type: found.finding.check, message, text: renderText(view), view };
}

function renderText(view: FindingView): string {
  const why = view.known === undefined ? [] : [`Known, and may pass: ${view.known.reason}`];
  return [...why, ...renderView(view, { paint: createTextStyle(false) })].join('\n');
}
