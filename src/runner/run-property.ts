import fc from 'fast-check';
import { simplifyWith } from '../arbitrary/simplify-with.ts';
import type { CheckContext } from '../check/check-context.ts';
import type { Finding } from '../check/finding.ts';
import { locateFinding } from '../check/locate-finding.ts';
import { isSameCause } from './is-same-cause.ts';
import type { RecordingSession, SessionRecord } from './create-session.ts';
import type { Property } from './suite.ts';

/** A finding, the smallest case that shows it, and how to come back to it. */
export interface PropertyFinding {
  readonly finding: Finding;
  readonly records: readonly SessionRecord[];
  /** The path of fast-check to the case. */
  readonly path: string;
  readonly confirmed: { readonly seen: number; readonly tried: number };
}

/** How a property is run. */
export interface PropertyRun {
  readonly property: Property;
  readonly session: RecordingSession;
  readonly context: () => CheckContext;
  readonly seed: number;
  readonly runs: number;
  /** Starts at a case, and looks at no other. */
  readonly path: string | undefined;
  readonly isStopped: () => boolean;
  /** Called when the property gives up, as every further case might take a whole time-out. */
  readonly onHang: () => void;
  /** How often a cause was seen in the run so far, by any property. */
  readonly sightings: (finding: Finding) => number;
  /** How often the run has met a hang so far, whatever its cause. */
  readonly hangs: () => number;
  /** Whether a cause was found before, by any property; every sighting is counted there. */
  readonly isKnown: (finding: Finding) => boolean;
  readonly onFinding: (found: PropertyFinding) => void;
  /** Called for whatever is concluded from the exchanges of a case together, each time that it is. */
  readonly onConcluded?: (finding: Finding) => void;
}

/** How many cases may be tried to make a failing one smaller. */
const mostShrinks = 80;
/** How many causes one property may bring to light. */
const mostCauses = 12;

interface CaseOutcome {
  readonly findings: readonly Finding[];
  readonly records: readonly SessionRecord[];
}

async function runCase(run: PropertyRun, testCase: unknown, far: boolean): Promise<CaseOutcome> {
  const { property, session } = run;
  const { result, records } = await session.record((recorder) => property.run(testCase, recorder), { far });
  const single = records.flatMap(({ judged }) => judged.findings);
  const context = run.context();
  const together = property.traceChecks
    .flatMap((check) => check(result, context))
    .map((finding) => locateFinding(finding, context.contract));
  together.forEach((finding) => run.onConcluded?.(finding));
  return { findings: [...single, ...together], records };
}

function worth(finding: Finding): number {
  return { violation: 2, advice: 1, observation: 0 }[finding.level];
}

/** Refusals can come of what a live store holds; they have to come back for keys far apart. */
function triesToConfirm(finding: Finding): number {
  return finding.check === 'undeclared-constraint' || finding.check === 'refused-leaves-trace' ? 3 : 1;
}

/** How long other requests that hang for the same cause are waited for; they were sent about the same time. */
const hangsTogetherMs = 100;

/**
 * Counts the other hangs of the same cause: each is the case run again by another property, and spares the run
 * one more whole time-out.
 */
async function countOtherHangs(run: PropertyRun, found: Finding): Promise<number> {
  await new Promise((resolve) => {
    setTimeout(resolve, hangsTogetherMs);
  });
  return run.sightings(found) - 1;
}

async function confirm(run: PropertyRun, found: Finding, testCase: unknown) {
  const others = found.check === 'timed-out' ? await countOtherHangs(run, found) : 0;
  // Where the service is known to hang, one more hang is told of as seen once: a run is to end in the time that
  // one of them takes.
  if (others > 0 || (found.check === 'timed-out' && run.hangs() > run.sightings(found))) {
    return { seen: others, tried: others, records: [] };
  }
  const wanted = triesToConfirm(found);
  let seen = 0;
  let tried = 0;
  let records: readonly SessionRecord[] = [];
  while (tried < wanted || (seen < tried && tried < 3)) {
    const outcome = await runCase(run, testCase, true);
    tried += 1;
    if (outcome.findings.some((finding) => isSameCause(finding, found))) {
      seen += 1;
      records = outcome.records;
    }
  }
  return { seen, tried, records };
}

interface Search {
  readonly target: Finding;
  readonly testCase: unknown;
  readonly path: string;
  readonly records: readonly SessionRecord[];
}

/** Looks for the next new cause from a case on, and makes its case smaller. */
async function search(
  run: PropertyRun,
  start: string | undefined,
  runs: number,
): Promise<Search | undefined> {
  const { property, seed } = run;
  let target: Finding | undefined;
  let smallest: { testCase: unknown; records: readonly SessionRecord[] } | undefined;
  let shrinks = 0;

  async function tryCase(testCase: unknown): Promise<void> {
    if (run.isStopped() || shrinks > mostShrinks) {
      return;
    }
    shrinks += target === undefined ? 0 : 1;
    const { findings, records } = await runCase(run, testCase, false);
    if (findings.some((finding) => finding.check === 'timed-out' && run.isKnown(finding))) {
      run.onHang();
      return;
    }
    const fresh = findings.filter((finding) => !run.isKnown(finding) && worth(finding) > 0);
    const [worst] = fresh.toSorted((left, right) => worth(right) - worth(left));
    const wanted = target;
    if (wanted === undefined ? worst === undefined : !fresh.some((finding) => isSameCause(finding, wanted))) {
      return;
    }
    target ??= worst;
    smallest = { testCase, records };
    // A hang takes a whole time-out each time, so it is not made smaller.
    shrinks += worst?.check === 'timed-out' ? mostShrinks + 1 : 0;
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
  return target === undefined || smallest === undefined || details.counterexamplePath === null
    ? undefined
    : { target, path: details.counterexamplePath, ...smallest };
}

/**
 * Runs a property to its end: every new cause is made small, confirmed by running its case again with fresh
 * keys, and handed over; then the search goes on behind the case that first showed it.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is gone; whatever the property itself throws
 */
export async function runProperty(run: PropertyRun): Promise<void> {
  const total = run.property.arbitrary === undefined ? run.property.examples.length : run.runs;
  let start = run.path;
  let left = run.path === undefined ? total : 1;
  for (let causes = 0; causes < mostCauses && left > 0 && !run.isStopped(); causes += 1) {
    const found = await search(run, start, left);
    if (found === undefined) {
      return;
    }
    const { target: finding, path } = found;
    try {
      const { seen, tried, records } = await confirm(run, finding, found.testCase);
      run.onFinding({
        finding,
        records: records.length > 0 ? records : found.records,
        path,
        confirmed: { seen, tried },
      });
    } catch (error) {
      // The service went before it could be asked again. What it answered stands; that it broke off may have
      // come of another request.
      if (found.target.check !== 'connection-dropped') {
        run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
      }
      throw error;
    }
    const index = Number(found.path.split(':', 1)[0]);
    start = String(index + 1);
    left = run.path === undefined ? total - index - 1 : 0;
    if (finding.check === 'timed-out' && left > 0) {
      run.onHang();
      return;
    }
  }
}
