import { createPaint, nameCharacter } from '../errors/console-text.ts';
import { createRedactor, type Redactor } from '../http/redact.ts';
import type { PropertyResult, RunFinding, RunResult } from '../runner/events.ts';
import { type CollectedRun, type CollectedSuites, type CollectedTraffic, collectRun } from './collect.ts';
import {
  failsRun,
  type Report,
  type ReportedFinding,
  type ReportEvent,
  type ReportOptions,
} from './report.ts';
import { describeTraffic, findingTitles, renderFinding } from './text/finding.ts';
import { plural } from './text/format.ts';

/** An element of XML: its attributes in order, those that are undefined left out, and what is in it. */
interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  readonly content?: readonly XmlElement[] | string;
}

/** What XML 1.0 §2.2 has no place for or advises against, and marks that turn the order of a text around for who reads it. */
const unfit =
  /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader takes these in an attribute for spaces (§3.3.3), and a CR anywhere for an LF (§2.11).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return text.replaceAll(unfit, nameCharacter).replaceAll(/[&<>\r]/gu, (found) => entities[found] ?? found);
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll(unfit, nameCharacter)
    .replaceAll(/[&<>"\t\n\r]/gu, (found) => entities[found] ?? found);
}

function renderElement({ name, attributes = {}, content = [] }: XmlElement, indent: string): string {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join('');
  const start = `${indent}<${name}${pairs}`;
  if (content.length === 0) return `${start}/>\n`;
  return typeof content === 'string'
    ? `${start}>${escapeText(content)}</${name}>\n`
    : `${start}>\n${content.map((child) => renderElement(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/**
 * Renders a whole XML 1.0 document. What XML has no place for, such as NUL, is written as it is named:
 * `\u{0}`.
 */
function renderXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '')}`;
}

/** One test of a JUnit report. */
interface JunitCase {
  readonly suite: string;
  readonly name: string;
  readonly timeMs: number;
  readonly outcome:
    | { readonly kind: 'passed' }
    | { readonly kind: 'skipped'; readonly message: string }
    | {
        readonly kind: 'failure' | 'error';
        readonly type: string;
        readonly message: string;
        readonly text: string;
      };
  /** What is to be told besides. */
  readonly output?: string;
}

/** Seconds, as JUnit writes them. */
function toSeconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function outcomeToXml({ outcome }: JunitCase): readonly XmlElement[] {
  switch (outcome.kind) {
    case 'passed':
      return [];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message: outcome.message } }];
    case 'failure':
    case 'error': {
      const { kind, type, message, text } = outcome;
      return [{ name: kind, attributes: { message, type }, content: text }];
    }
  }
}

/** The element of one test. */
function junitCaseToXml(one: JunitCase): XmlElement {
  return {
    name: 'testcase',
    attributes: { name: one.name, classname: `cloche.${one.suite}`, time: toSeconds(one.timeMs) },
    content: [
      ...outcomeToXml(one),
      ...(one.output === undefined ? [] : [{ name: 'system-out', content: one.output }]),
    ],
  };
}

/** How long each property was under way. */
interface PropertyTimes {
  readonly read: (event: ReportEvent) => void;
  /** From its first request to its last answer, in milliseconds. */
  readonly of: (suite: string, property: string) => number;
}

/** Creates what times properties by their exchanges; it keeps two numbers for each. */
function timeProperties(): PropertyTimes {
  const spans = new Map<string, { readonly from: number; readonly to: number }>();
  return {
    read(event) {
      if (event.kind === 'exchange') {
        const name = `${event.suite}/${event.property}`;
        const { from, to } = spans.get(name) ?? { from: event.startedAt, to: event.startedAt };
        const endedAt = event.startedAt + event.judged.exchange.durationMs;
        spans.set(name, { from: Math.min(from, event.startedAt), to: Math.max(to, endedAt) });
      }
    },
    of(suite, property) {
      const span = spans.get(`${suite}/${property}`);
      return span === undefined ? 0 : span.to - span.from;
    },
  };
}

/** A run that is not whole is no success, whatever it found: a test of its own says so, and none where it is whole. */
function endCase({
  run: { end, result },
  redactor,
}: {
  readonly run: CollectedRun;
  readonly redactor: Redactor;
}): readonly JunitCase[] {
  if (end.isWhole && !result.interrupted) return [];
  const [type, message] = result.interrupted
    ? ['interrupted', 'The run was interrupted; what was found by then is told.']
    : ['cannot-judge', redactor.text(end.why ?? 'The service can no longer be judged.')];
  return [
    {
      suite: 'run',
      name: 'the run comes to its end',
      timeMs: 0,
      outcome: { kind: 'error', type, message, text: message },
    },
  ];
}

const paint = createPaint(false);

/** A finding as a test tells it. */
function findingText(found: ReportedFinding, options: ReportOptions): string {
  return renderFinding(found, { ...options, paint }).join('\n');
}

/** Findings that fail nothing, as what a test has to say besides; empty where there are none. */
function tellFindings(told: readonly ReportedFinding[], options: ReportOptions): string {
  return told
    .map((found) => {
      const { known } = found;
      const why = known === undefined ? '' : `Known, and may pass: ${known.reason ?? 'no reason is given'}\n`;
      return `${why}${findingText(found, options)}`;
    })
    .join('\n\n');
}

/** A finding that fails the run, as the outcome of a test. */
function toFailure(
  found: ReportedFinding,
  { options, redactor }: { readonly options: ReportOptions; readonly redactor: Redactor },
): JunitCase['outcome'] {
  const { check, expected, received } = found.finding;
  return {
    kind: 'failure',
    type: check,
    message: redactor.text(`${findingTitles[check]}: expected ${expected}, received ${received}`),
    text: findingText(found, options),
  };
}

/** What the cases of a report are made of. */
interface CaseSource {
  readonly run: CollectedSuites;
  readonly options: ReportOptions;
  readonly redactor: Redactor;
  readonly timeOf: (suite: string, property: string) => number;
}

function withoutFailure(
  { suite, property, verdict }: Pick<PropertyResult, 'suite' | 'property' | 'verdict'>,
  told: readonly RunFinding[],
  { run, options, redactor }: CaseSource,
): JunitCase['outcome'] {
  const { notChecked } = run.result;
  switch (verdict) {
    case 'given-up':
    case 'unjudged': {
      const reason = notChecked.find(({ what }) => what === `${suite}/${property}`)?.reason;
      return { kind: 'skipped', message: redactor.text(reason ?? 'no case of it showed anything') };
    }
    case 'broken':
    case 'advised': {
      const isHeldAgainst = verdict === 'broken' || options.strict;
      // One cause is one finding: it fails the property that showed it first, and passes none.
      return told.length > 0 || !isHeldAgainst
        ? { kind: 'passed' }
        : { kind: 'skipped', message: 'not held, by what is told elsewhere in this report' };
    }
    case 'held':
      return { kind: 'passed' };
  }
}

/**
 * A property is a test. Readers of JUnit files take one failure of a test and pass over the others, so that each
 * further finding is a test beside it, named by its stable id.
 */
function toCases(
  property: Pick<PropertyResult, 'suite' | 'property' | 'verdict'>,
  source: CaseSource,
): readonly JunitCase[] {
  const { suite, property: name } = property;
  const { run, options, timeOf } = source;
  const own = run.result.findings.filter((found) => found.suite === suite && found.property === name);
  const [first, ...others] = own.filter((found) => failsRun(found, options));
  const told = own.filter((found) => !failsRun(found, options));
  const output = tellFindings(told, options);
  return [
    {
      suite,
      name,
      timeMs: timeOf(suite, name),
      outcome: first === undefined ? withoutFailure(property, told, source) : toFailure(first, source),
      ...(output === '' ? {} : { output }),
    },
    ...others.map((found) => ({
      suite,
      name: `${name} (${found.id})`,
      timeMs: 0,
      outcome: toFailure(found, source),
    })),
  ];
}

/** The properties that ended, and those that a run broke off in though they had found something. */
function listProperties({
  properties,
  findings,
}: RunResult): readonly Pick<PropertyResult, 'suite' | 'property' | 'verdict'>[] {
  const names = new Set(properties.map(({ suite, property }) => `${suite}/${property}`));
  const unfinished = findings.filter(({ suite, property }) => {
    const name = `${suite}/${property}`;
    return !names.has(name) && names.add(name);
  });
  return [
    ...properties,
    ...unfinished.map(({ suite, property }) => ({ suite, property, verdict: 'broken' as const })),
  ];
}

function listNotChecked({ run, options, redactor }: CaseSource): readonly JunitCase[] {
  const { result } = run;
  const tested = new Set(result.properties.map(({ suite, property }) => `${suite}/${property}`));
  return result.notChecked
    .filter(
      ({ what, notApplicable }) =>
        notApplicable !== true && !tested.has(what) && options.replayed === undefined,
    )
    .map(({ what, reason }) => ({
      suite: 'not-checked',
      name: redactor.text(what),
      timeMs: 0,
      outcome: { kind: 'skipped', message: redactor.text(reason) },
    }));
}

/** A run as tests: its properties, what was not checked, and its end where it was not whole. */
function toJunitCases(source: CaseSource): readonly JunitCase[] {
  return [
    ...listProperties(source.run.result).flatMap((property) => toCases(property, source)),
    ...listNotChecked(source),
    ...endCase(source),
  ];
}

/** The suite that the operations of traffic are tests of. */
const suite = 'traffic';

interface TrafficCaseSource {
  readonly run: CollectedTraffic;
  readonly options: ReportOptions;
  readonly redactor: Redactor;
}

/** An operation is a test; each further finding of it is one beside it, named by its stable id. */
function toCasesOfOperation(
  operation: string,
  requests: number,
  source: TrafficCaseSource,
): readonly JunitCase[] {
  const { run, options } = source;
  const own = run.result.findings.filter(({ finding }) => finding.operation === operation);
  const [first, ...others] = own.filter((found) => failsRun(found, options));
  const output = tellFindings(
    own.filter((found) => !failsRun(found, options)),
    options,
  );
  const skipped = { kind: 'skipped', message: 'no exchange reached it' } as const;
  const passed = requests === 0 && own.length === 0 ? skipped : ({ kind: 'passed' } as const);
  return [
    {
      suite,
      name: operation,
      timeMs: 0,
      outcome: first === undefined ? passed : toFailure(first, source),
      ...(output === '' ? {} : { output }),
    },
    ...others.map((found) => ({
      suite,
      name: `${operation} (${found.id})`,
      timeMs: 0,
      outcome: toFailure(found, source),
    })),
  ];
}

/** Judged traffic as tests: the operations that it reached, what could not be judged, and its end. */
function toTrafficCases(source: TrafficCaseSource): readonly JunitCase[] {
  const { result } = source.run;
  const requests = new Map(result.coverage.map((one) => [one.operation, one.requests]));
  const elsewhere = result.findings
    .map(({ finding }) => finding.operation)
    .filter((name) => !requests.has(name));
  return [
    ...[...requests.keys(), ...new Set(elsewhere)].flatMap((name) =>
      toCasesOfOperation(name, requests.get(name) ?? 0, source),
    ),
    ...result.unjudged.map(({ reason, count, first }): JunitCase => ({
      suite: 'not-judged',
      name: source.redactor.text(reason),
      timeMs: 0,
      outcome: {
        kind: 'skipped',
        message: source.redactor.text(`${plural(count, 'exchange')}, the first: ${first}`),
      },
    })),
    ...endCase(source),
  ];
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

function toSuite(
  name: string,
  cases: readonly JunitCase[],
  { id, timestamp, properties }: { id: number; timestamp: string; properties: readonly XmlElement[] },
): XmlElement {
  return {
    name: 'testsuite',
    attributes: {
      name: `cloche.${name}`,
      ...countKinds(cases),
      time: toSeconds(cases.reduce((sum, { timeMs }) => sum + timeMs, 0)),
      timestamp,
      // What Ant writes where the host is not known; its readers ask for all three.
      hostname: 'localhost',
      id,
      package: 'cloche',
    },
    content: [{ name: 'properties', content: properties }, ...cases.map(junitCaseToXml)],
  };
}

function listOwnProperties(run: CollectedRun): Readonly<Record<string, string>> {
  if (run.kind === 'traffic') {
    return { 'cloche.from': run.started.from, 'cloche.exchanges': describeTraffic(run.result) };
  }
  const { seed, keys, requests } = run.result;
  return {
    'cloche.seed': String(seed),
    'cloche.keys': `${keys[0]}-${keys[1]}`,
    'cloche.requests': String(requests),
  };
}

function listPairs(run: CollectedRun, options: ReportOptions): readonly XmlElement[] {
  const { contract, target } = run.started;
  const pairs = {
    'cloche.version': options.toolVersion,
    'cloche.target': target,
    'cloche.contract': `${contract.title} ${contract.version} (${options.source})`,
    ...listOwnProperties(run),
  };
  const redactor = createRedactor(options.secrets);
  return Object.entries(pairs).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value: redactor.text(value) },
  }));
}

/**
 * Creates the report for CI servers: JUnit XML in the form that Ant's task writes and Jenkins, GitLab and others
 * read. A suite is a testsuite, a property a testcase; of traffic an operation is. A finding that fails the run is a
 * failure.
 */
export function createJunitReport(options: ReportOptions): Report {
  const collector = collectRun(options);
  const times = timeProperties();

  function toXml(run: CollectedRun): XmlElement {
    const redactor = createRedactor(options.secrets);
    const cases =
      run.kind === 'traffic'
        ? toTrafficCases({ run, options, redactor })
        : toJunitCases({ run, options, redactor, timeOf: times.of });
    const names = [...new Set(cases.map(({ suite }) => suite))];
    const properties = listPairs(run, options);
    // Without fractions and zone, as Ant writes it.
    const timestamp = new Date(run.startedAt).toISOString().slice(0, 19);
    return {
      name: 'testsuites',
      attributes: {
        name: run.kind === 'traffic' ? 'cloche traffic' : 'cloche test',
        ...countKinds(cases),
        time: toSeconds(run.result.durationMs),
      },
      content: names.map((name, id) =>
        toSuite(
          name,
          cases.filter(({ suite }) => suite === name),
          { id, timestamp, properties },
        ),
      ),
    };
  }

  return {
    read(event) {
      collector.read(event);
      times.read(event);
    },
    end(end) {
      const run = collector.close(end);
      if (run !== undefined) {
        options.write(renderXml(toXml(run)));
      }
    },
  };
}
