import { createTextStyle, nameCharacter } from '../errors/console-text.ts';
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
import { describeRunVerdict, describeItems, describeTraffic } from './text/verdict.ts';

/**
 * Creates the report for CI servers: JUnit XML in the form that Ant's task writes and Jenkins, GitLab and others
 * read. A suite is a testsuite; a property (for traffic: an operation) is a testcase. A finding that fails the run is
 * a failure.
 */
export function createJunitReport(options: ReportOptions): Report {
  /** The time of the first request and of the last response of each property. */
  const spans = new Map<string, { readonly from: number; readonly to: number }>();

  function watch(event: ReportEvent): void {
    if (event.kind !== 'exchange') return;
    const name = `${event.suite}/${event.property}`;
    const { from, to } = spans.get(name) ?? { from: event.startedAt, to: event.startedAt };
    const endedAt = event.startedAt + event.judged.exchange.durationMs;
    spans.set(name, { from: Math.min(from, event.startedAt), to: Math.max(to, endedAt) });
  }

  function write(run: CollectedRun): void {
    const times = new Map([...spans].map(([name, { from, to }]) => [name, to - from]));
    const findings = viewFindings(run.result.findings, options);
    const root = toTestSuites(run, { options, times, findings, redactor: createRedactor(options.secrets) });
    options.write(`<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '')}`);
  }

  return createEndReport(options, write, watch);
}

interface JunitCase {
  readonly suite: string;
  readonly name: string;
  readonly timeMs?: number;
  readonly outcome: Outcome;
  /** Additional text of the test. */
  readonly output?: string;
}

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly message: string }
  | {
      readonly kind: 'failure' | 'error';
      readonly type: string;
      readonly message: string;
      readonly text: string;
    };

/** Data that the test cases are built from, in addition to the run. */
interface CaseSource {
  readonly options: ReportOptions;
  readonly redactor: Redactor;
  /** Milliseconds by property name. */
  readonly times: ReadonlyMap<string, number>;
  readonly findings: readonly FindingView[];
}

function toTestSuites(run: CollectedRun, source: CaseSource): XmlElement {
  const cases = [
    ...(run.kind === 'traffic' ? listTrafficCases(run, source) : listSuiteCases(run, source)),
    ...listEndCases(run, source),
  ];
  const properties = listProperties(run, source);
  // Without fractions of a second and time zone, like Ant.
  const timestamp = new Date(run.startedAt).toISOString().slice(0, 19);
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((name, id): XmlElement => {
    const own = cases.filter(({ suite }) => suite === name);
    return {
      name: 'testsuite',
      attributes: {
        name: `cloche.${name}`,
        ...countKinds(own),
        time: toSeconds(own.reduce((sum, { timeMs = 0 }) => sum + timeMs, 0)),
        timestamp,
        // Ant writes this if the host is unknown. JUnit readers require all three attributes.
        hostname: 'localhost',
        id,
        package: 'cloche',
      },
      content: [{ name: 'properties', content: properties }, ...own.map(toTestCase)],
    };
  });
  return {
    name: 'testsuites',
    attributes: {
      name: run.kind === 'traffic' ? 'cloche traffic' : 'cloche test',
      ...countKinds(cases),
      time: toSeconds(run.result.durationMs),
    },
    content: suites,
  };
}

function countKinds(cases: readonly JunitCase[]): Readonly<Record<string, number>> {
  const count = (wanted: string): number => cases.filter(({ outcome }) => outcome.kind === wanted).length;
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function toTestCase({ suite, name, timeMs = 0, outcome, output }: JunitCase): XmlElement {
  return {
    name: 'testcase',
    attributes: { name, classname: `cloche.${suite}`, time: toSeconds(timeMs) },
    content: [
      ...outcomeToXml(outcome),
      ...(output === undefined ? [] : [{ name: 'system-out', content: output }]),
    ],
  };
}

function outcomeToXml(outcome: Outcome): readonly XmlElement[] {
  if (outcome.kind === 'passed') return [];
  if (outcome.kind === 'skipped') return [{ name: 'skipped', attributes: { message: outcome.message } }];
  const { kind, type, message, text } = outcome;
  return [{ name: kind, attributes: { message, type }, content: text }];
}

function listProperties(run: CollectedRun, { options, redactor }: CaseSource): readonly XmlElement[] {
  const { contract, target } = run.started;
  const items = run.kind === 'suites' && run.result.items ? describeItems(run.result.items) : undefined;
  const pairs = {
    'cloche.version': options.toolVersion,
    'cloche.target': target,
    'cloche.contract': `${contract.title} ${contract.version} (${options.source})`,
    ...(run.kind === 'traffic'
      ? { 'cloche.from': run.started.from, 'cloche.exchanges': describeTraffic(run.result) }
      : {
          'cloche.seed': String(run.result.seed),
          'cloche.keys': run.result.keys.join('-'),
          'cloche.requests': String(run.result.requests),
          ...(items === undefined ? {} : { 'cloche.items': items }),
        }),
  };
  return Object.entries(pairs).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value: redactor.text(value) },
  }));
}

/** Lists the tests of a run: its properties, and what was not checked. */
function listSuiteCases({ result }: CollectedSuites, source: CaseSource): readonly JunitCase[] {
  const { options, redactor, times, findings } = source;
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
      const timeMs = times.get(`${suite}/${property}`) ?? 0;
      const outcome = outcomeWithoutFailure({ ...tried, isFound: own.length > 0 }, result, source);
      return toCases({ suite, name: property, timeMs, outcome }, own);
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
): JunitCase {
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
function listTrafficCases({ result }: CollectedTraffic, source: CaseSource): readonly JunitCase[] {
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

/** Lists one more test that fails if the run is incomplete or exercised too few operations. */
function listEndCases(
  { end, result }: CollectedRun,
  { options, redactor }: CaseSource,
): readonly JunitCase[] {
  if (end.isWhole && !result.interrupted) {
    const { besides } = describeRunVerdict(result, { ...options, isWhole: true, isThinNews: false });
    return besides.map((message): JunitCase => {
      const outcome: Outcome = { kind: 'failure', type: 'min-coverage', message, text: message };
      return { suite: 'run', name: 'enough operations are answered with a success', outcome };
    });
  }
  const [type, message] = result.interrupted
    ? ['interrupted', 'The run was interrupted; this is what was found until then.']
    : ['cannot-judge', redactor.text(end.why ?? 'The service can no longer be judged.')];
  const outcome: Outcome = { kind: 'error', type, message, text: message };
  return [{ suite: 'run', name: 'the run comes to its end', outcome }];
}

/**
 * Returns the tests of a property or an operation. `usual` is the test without failures. JUnit readers read only one
 * failure of a test, so each further fault becomes another test, named by its id. Each fault fails one test.
 */
function toCases(usual: JunitCase, own: readonly FindingView[]): readonly JunitCase[] {
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
  return { kind: 'failure', type: found.finding.check, message, text: renderText(view) };
}

function renderText(view: FindingView): string {
  const why = view.known === undefined ? [] : [`Known, and may pass: ${view.known.reason}`];
  return [...why, ...renderView(view, { paint: createTextStyle(false) })].join('\n');
}

/** An XML element. Attributes keep their order; undefined ones are omitted. */
interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly content?: readonly XmlElement[] | string;
}

/** Characters that XML 1.0 §2.2 forbids or discourages, and marks that change the direction of text. */
const unfit =
  /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // An XML parser reads these in an attribute as spaces (§3.3.3), and a CR anywhere as an LF (§2.11).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeXml(text: string, marks: RegExp): string {
  return text.replaceAll(unfit, nameCharacter).replaceAll(marks, (found) => entities[found] ?? found);
}

function renderElement({ name, attributes = {}, content = [] }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXml(String(value), /[&<>"\t\n\r]/gu)}"`)
    .join('');
  const start = `${indent}<${name}${pairs}`;
  if (content.length === 0) return `${start}/>\n`;
  return typeof content === 'string'
    ? `${start}>${escapeXml(content, /[&<>\r]/gu)}</${name}>\n`
    : `${start}>\n${content.map((child) => renderElement(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}
