import type { Finding } from '../check/finding.ts';
import { locateFinding } from '../check/locate-finding.ts';
import type { SessionRecord } from './create-session.ts';
import type { PropertyRun } from './run-property.ts';

/** What one case came to. */
export interface CaseOutcome {
  readonly findings: readonly Finding[];
  /** The exchanges that a finding rests on: all, where its check names none. */
  readonly recordsOf: (finding: Finding) => readonly SessionRecord[];
}

/**
 * Runs one case of a property, and judges its exchanges one by one and together.
 *
 * @param far - whether its keys are far apart from those of other cases
 */
export async function runCase(
  run: PropertyRun,
  testCase: unknown,
  { far }: { readonly far: boolean },
): Promise<CaseOutcome> {
  const { property, session } = run;
  const { result, records } = await session.record((recorder) => property.run(testCase, recorder), { far });
  const single = records.flatMap(({ judged }) => judged.findings);
  if (property.traceChecks.length === 0) {
    return { findings: single, recordsOf: () => records };
  }
  const context = run.context();
  const shown = new Map<Finding, readonly SessionRecord[]>();
  for (const { shownBy, ...concluded } of property.traceChecks.flatMap((check) => check(result, context))) {
    const finding = locateFinding(concluded, context.contract);
    shown.set(finding, shownBy ? records.filter(({ judged }) => shownBy.includes(judged)) : records);
    run.onConcluded?.(finding);
  }
  return { findings: [...single, ...shown.keys()], recordsOf: (finding) => shown.get(finding) ?? records };
}
