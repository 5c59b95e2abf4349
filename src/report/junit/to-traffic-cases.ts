import type { Redactor } from '../../http/create-redactor.ts';
import type { CollectedTraffic } from '../collect-run.ts';
import { failsRun } from '../fails-run.ts';
import { plural } from '../plural.ts';
import type { ReportOptions } from '../report-options.ts';
import { endCase } from './end-case.ts';
import type { JunitCase } from './junit-case.ts';
import { tellFindings } from './tell-findings.ts';
import { toFailure } from './to-failure.ts';

/** The suite that the operations of traffic are tests of. */
const suite = 'traffic';

interface CaseSource {
  readonly run: CollectedTraffic;
  readonly options: ReportOptions;
  readonly redactor: Redactor;
}

/** An operation is a test; each further finding of it is one beside it, named by its stable id. */
function toCases(operation: string, requests: number, source: CaseSource): readonly JunitCase[] {
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
export function toTrafficCases(source: CaseSource): readonly JunitCase[] {
  const { result } = source.run;
  const requests = new Map(result.coverage.map((one) => [one.operation, one.requests]));
  const elsewhere = result.findings
    .map(({ finding }) => finding.operation)
    .filter((name) => !requests.has(name));
  return [
    ...[...requests.keys(), ...new Set(elsewhere)].flatMap((name) =>
      toCases(name, requests.get(name) ?? 0, source),
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
