import { createRedactor } from '../http/redact.ts';
import { groupBy, type CollectedRun } from './collect.ts';
import type { Report, ReportOptions } from './report.ts';
import { createTestReport, type Outcome, type TestCase } from './test-cases.ts';
import { renderVerdict } from './text/summary.ts';

/** A part of the report, by the specification of CTRF. */
type CtrfPart = Readonly<Record<string, unknown>>;

/**
 * Creates the report for dashboards of tests: the Common Test Report Format (https://ctrf.io). It has the tests of the
 * JUnit report: a property, or for traffic an operation.
 */
export function createCtrfReport(options: ReportOptions): Report {
  return createTestReport(options, (run, cases) =>
    options.write(`${JSON.stringify(toCtrf(run, cases, options), undefined, 2)}\n`),
  );
}

const statuses = { passed: 'passed', skipped: 'skipped', failure: 'failed', error: 'failed' } as const;

function toCtrf(run: CollectedRun, cases: readonly TestCase[], options: ReportOptions): CtrfPart {
  const { text } = createRedactor(options.secrets);
  const { started, startedAt, result, end } = run;
  const count = (wanted: string): number =>
    cases.filter(({ outcome }) => statuses[outcome.kind] === wanted).length;
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(startedAt + result.durationMs).toISOString(),
    generatedBy: 'cloche',
    results: {
      tool: { name: 'cloche', version: options.toolVersion },
      summary: {
        tests: cases.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: 0,
        suites: groupBy(cases, ({ suite }) => suite).size,
        start: startedAt,
        stop: Math.round(startedAt + result.durationMs),
        duration: Math.round(result.durationMs),
      },
      tests: cases.map(toTest),
      environment: {
        appName: text(started.contract.title),
        appVersion: text(started.contract.version),
        testEnvironment: text(started.target),
      },
      extra: {
        'cloche.run': {
          command: options.command,
          document: text(options.source),
          verdict: renderVerdict(run, { ...options, isWhole: end.isWhole }),
          ...(run.kind === 'suites' ? { seed: run.result.seed } : {}),
        },
      },
    },
  };
}

function toTest({ suite, name, span, outcome, output }: TestCase): CtrfPart {
  const { from, to } = span ?? { from: undefined, to: undefined };
  return {
    testId: `${suite}/${name}`,
    name,
    status: statuses[outcome.kind],
    duration: from === undefined ? 0 : Math.round(to - from),
    ...(from === undefined ? {} : { start: Math.round(from), stop: Math.round(to) }),
    suite: ['cloche', suite],
    type: 'contract',
    rawStatus: outcome.kind,
    ...describeOutcome(outcome),
    ...(output === undefined ? {} : { stdout: output.split('\n') }),
  };
}

function describeOutcome(outcome: Outcome): CtrfPart {
  if (outcome.kind === 'passed') return {};
  if (outcome.kind === 'skipped') return { message: outcome.message };
  const { type, message, text, view } = outcome;
  const { id, operation, fault, requests, replay } = view ?? {};
  return {
    message,
    trace: text,
    tags: [type],
    ...(view === undefined
      ? {}
      : { extra: { 'cloche.finding': { id, fault, operation, requests, replay } } }),
  };
}
