import { nameCharacter } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import type { CollectedRun } from './collect.ts';
import type { Report, ReportOptions } from './report.ts';
import { createTestReport, type Outcome, type TestCase } from './test-cases.ts';
import { describeItems, describeTraffic } from './text/verdict.ts';

/**
 * Creates the report for CI servers: JUnit XML in the form that Ant's task writes and Jenkins, GitLab and others
 * read. A suite is a testsuite; a property (for traffic: an operation) is a testcase. A finding that fails the run is
 * a failure.
 */
export function createJunitReport(options: ReportOptions): Report {
  return createTestReport(options, (run, cases) => {
    const root = toTestSuites(run, cases, options);
    options.write(`<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '')}`);
  });
}

function toTestSuites(run: CollectedRun, cases: readonly TestCase[], options: ReportOptions): XmlElement {
  const properties = listProperties(run, options);
  // Without fractions of a second and time zone, like Ant.
  const timestamp = new Date(run.startedAt).toISOString().slice(0, 19);
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((name, id): XmlElement => {
    const own = cases.filter(({ suite }) => suite === name);
    return {
      name: 'testsuite',
      attributes: {
        name: `cloche.${name}`,
        ...countKinds(own),
        time: toSeconds(own.reduce((sum, one) => sum + lengthOf(one), 0)),
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

function countKinds(cases: readonly TestCase[]): Readonly<Record<string, number>> {
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

function lengthOf({ span }: TestCase): number {
  return span === undefined ? 0 : span.to - span.from;
}

function toTestCase(test: TestCase): XmlElement {
  const { suite, name, outcome, output } = test;
  return {
    name: 'testcase',
    attributes: { name, classname: `cloche.${suite}`, time: toSeconds(lengthOf(test)) },
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

function listProperties(run: CollectedRun, options: ReportOptions): readonly XmlElement[] {
  const { text } = createRedactor(options.secrets);
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
    attributes: { name, value: text(value) },
  }));
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
