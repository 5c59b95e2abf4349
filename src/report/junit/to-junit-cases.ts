import type { Redactor } from '../../http/create-redactor.ts';
import type { PropertyResult, RunFinding, RunResult } from '../../runner/run-event.ts';
import type { CollectedSuites } from '../collect-run.ts';
import { failsRun } from '../fails-run.ts';
import type { ReportOptions } from '../report-options.ts';
import { endCase } from './end-case.ts';
import type { JunitCase } from './junit-case.ts';
import { tellFindings } from './tell-findings.ts';
import { toFailure } from './to-failure.ts';

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
export function toJunitCases(source: CaseSource): readonly JunitCase[] {
  return [
    ...listProperties(source.run.result).flatMap((property) => toCases(property, source)),
    ...listNotChecked(source),
    ...endCase(source),
  ];
}
