import { createRedactor } from '../http/create-redactor.ts';
import { type CollectedRun, collectRun } from './collect-run.ts';
import { describeTraffic } from './describe-traffic.ts';
import { type JunitCase, junitCaseToXml, toSeconds } from './junit/junit-case.ts';
import { renderXml, type XmlElement } from './junit/render-xml.ts';
import { timeProperties } from './junit/time-properties.ts';
import { toJunitCases } from './junit/to-junit-cases.ts';
import { toTrafficCases } from './junit/to-traffic-cases.ts';
import type { Report } from './report.ts';
import type { ReportOptions } from './report-options.ts';

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

function listProperties(run: CollectedRun, options: ReportOptions): readonly XmlElement[] {
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
    const properties = listProperties(run, options);
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
