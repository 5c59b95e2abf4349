import fc from 'fast-check';
import { simplifyWith } from '../arbitrary/simplify-with.ts';
import type { Finding } from '../check/finding.ts';
import type { SessionRecord } from './create-session.ts';
import { isSameCause } from './is-same-cause.ts';
import { runCase } from './run-case.ts';
import type { PropertyRun } from './run-property.ts';

/** A case that shows something new, as small as it could be made. */
export interface CauseFound {
  readonly finding: Finding;
  readonly testCase: unknown;
  /** The path of fast-check to the case. */
  readonly path: string;
  readonly records: readonly SessionRecord[];
  /** Whether a smaller case showed that the cause was known all along. */
  readonly isExplained: boolean;
}

/** How many cases may be tried to make a failing one smaller. */
const mostShrinks = 80;

function worth(finding: Finding): number {
  return { violation: 2, advice: 1, observation: 0 }[finding.level];
}

/**
 * Whether a finding of a smaller case may be what was found all along: nothing but the trigger differs, and what
 * triggers it is plain, or was in the larger case too.
 */
function mayExplain(smaller: Finding, larger: Finding): boolean {
  const { trigger, otherTriggers = [] } = larger;
  const isPossible = smaller.trigger === undefined || otherTriggers.includes(smaller.trigger);
  return isPossible && trigger !== undefined && isSameCause({ ...smaller, trigger }, larger);
}

/** Whether something else that the smallest case holds is known to do it. */
function hasKnownTrigger(run: PropertyRun, finding: Finding): boolean {
  return (finding.otherTriggers ?? []).some((trigger) => run.isKnown({ ...finding, trigger }));
}

/**
 * Looks for the next new cause from a case on, and makes its case smaller. On the way down what triggers the
 * cause may turn out to be something else: of a text with NUL and with characters past ASCII only one may do
 * it. Where that is known to do it, nothing new was found.
 *
 * @param start - the path to the case to begin with; undefined begins with the first
 * @param runs - how many cases to look at
 * @throws whatever the property throws
 */
export async function searchCause(
  run: PropertyRun,
  start: string | undefined,
  runs: number,
): Promise<CauseFound | undefined> {
  const { property, seed } = run;
  let smallest: Omit<CauseFound, 'path' | 'isExplained'> | undefined;
  let isExplained = false;
  let shrinks = 0;

  /** The finding that makes a case the smallest so far, if there is one. */
  function pick(findings: readonly Finding[]): Finding | undefined {
    const fresh = findings.filter((finding) => !run.isKnown(finding) && worth(finding) > 0);
    const wanted = smallest?.finding;
    if (wanted === undefined) {
      return fresh.toSorted((left, right) => worth(right) - worth(left))[0];
    }
    isExplained ||= findings.some((finding) => run.isKnown(finding) && mayExplain(finding, wanted));
    return (
      fresh.find((finding) => isSameCause(finding, wanted)) ??
      fresh.find((finding) => mayExplain(finding, wanted))
    );
  }

  async function tryCase(testCase: unknown): Promise<void> {
    if (run.isStopped() || isExplained || shrinks > mostShrinks) {
      return;
    }
    shrinks += smallest === undefined ? 0 : 1;
    const { findings, records } = await runCase(run, testCase, { far: false });
    if (findings.some((finding) => finding.check === 'timed-out' && run.isKnown(finding))) {
      run.onHang();
      return;
    }
    const finding = pick(findings);
    if (finding === undefined) {
      return;
    }
    smallest = { finding, testCase, records };
    // A hang takes a whole time-out each time, so it is not made smaller.
    shrinks += finding.check === 'timed-out' ? mostShrinks + 1 : 0;
    throw new Error('found');
  }

  const made = property.arbitrary ?? fc.constantFrom(...property.examples);
  const arbitrary = property.simplify === undefined ? made : simplifyWith(made, property.simplify);
  const details = await fc.check(fc.asyncProperty(arbitrary, tryCase), {
    seed,
    numRuns: runs,
    // A path into a shrunk case is that one case: nothing is to be made of it.
    endOnFailure: start?.includes(':') ?? false,
    examples: property.examples.map((example): [unknown] => [example]),
    ...(start === undefined ? {} : { path: start }),
  });
  if (details.errorInstance instanceof Error && details.errorInstance.message !== 'found') {
    throw details.errorInstance;
  }
  const path = details.counterexamplePath;
  return smallest === undefined || path === null
    ? undefined
    : { ...smallest, path, isExplained: isExplained || hasKnownTrigger(run, smallest.finding) };
}
