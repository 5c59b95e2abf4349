import type { CheckId } from '../check/check-id.ts';
import { costlyChecks } from './end-at-hang.ts';
import type { CheckContext } from '../check/check-context.ts';
import type { Finding } from '../check/finding.ts';
import { confirmFinding } from './confirm-finding.ts';
import { countCases } from './count-cases.ts';
import type { RecordingSession, SessionRecord } from './create-session.ts';
import { type CauseFound, searchCause } from './search-cause.ts';
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
  /** Told which finding makes every further case too costly to try. */
  readonly onGivenUp: (check: CheckId) => void;
  /** How often a cause was seen in the run so far, by any property. */
  readonly sightings: (finding: Finding) => number;
  /** How often the run has met a hang so far, whatever its cause. */
  readonly hangs: () => number;
  /** The plain bodies under fresh keys so far: how many were sent, and how many of those were taken. */
  readonly plainBodies: () => { readonly sent: number; readonly accepted: number };
  /** Whether a cause was found before, by any property; every sighting is counted there. */
  readonly isKnown: (finding: Finding) => boolean;
  readonly onFinding: (found: PropertyFinding) => void;
  /** Called for whatever is concluded from the exchanges of a case together, each time that it is. */
  readonly onConcluded?: (finding: Finding) => void;
}

/** How many causes one property may bring to light. */
const mostCauses = 12;
/** How often a case may turn out to show what is known. */
const mostExplained = 24;

async function confirmAndTell(run: PropertyRun, found: CauseFound): Promise<void> {
  const { finding, path } = found;
  try {
    const { seen, tried, records } = await confirmFinding(run, found);
    run.onFinding({
      finding,
      records: records.length > 0 ? records : found.records,
      path,
      confirmed: { seen, tried },
    });
  } catch (error) {
    // The service went before it could be asked again. What it answered stands; that it broke off may have come
    // of another request.
    if (finding.check !== 'connection-dropped') {
      run.onFinding({ finding, records: found.records, path, confirmed: { seen: 0, tried: 0 } });
    }
    throw error;
  }
}

/** A property that is run in parts. */
export interface PropertySearch {
  /**
   * Goes on to the case of this number, which it leaves out; every new cause is made small, confirmed by running
   * its case again with fresh keys, and handed over; then the search goes on behind the case that first showed it.
   *
   * @throws ClocheError CANNOT_JUDGE where the service is gone; whatever the property itself throws
   */
  upTo(end: number): Promise<void>;
}

/** Begins the search for what is wrong with a property: at its first case, or at the one of its path. */
export function searchProperty(run: PropertyRun): PropertySearch {
  const total = countCases(run.property, run.runs);
  let start = run.path;
  let next = 0;
  let causes = 0;
  let explained = 0;
  let isOver = false;

  async function conclude(found: CauseFound): Promise<void> {
    const { isExplained } = found;
    causes += isExplained ? 0 : 1;
    explained += isExplained ? 1 : 0;
    if (!isExplained) {
      await confirmAndTell(run, found);
    }
  }

  /** What a case shows beside what it was made smaller for would be seen by nobody again. */
  async function lookBeside({ besides }: CauseFound): Promise<void> {
    for (const { finding, path } of besides) {
      if (causes >= mostCauses || run.isStopped() || run.isKnown(finding)) {
        continue;
      }
      const found = await searchCause(run, path, 1, { goesOn: true });
      await (found === undefined ? undefined : conclude(found));
    }
  }

  /** Looks at the next so many cases, up to the first that shows something. */
  async function step(cases: number): Promise<void> {
    const found = await searchCause(run, start, cases);
    if (found === undefined) {
      next += cases;
      start = String(next);
      return;
    }
    const { finding, path } = found;
    await conclude(found);
    await (costlyChecks.has(finding.check) || run.path !== undefined ? undefined : lookBeside(found));
    next = Number(path.split(':', 1)[0]) + 1;
    start = String(next);
    isOver = causes >= mostCauses || explained >= mostExplained;
    if (costlyChecks.has(finding.check) && next < total && run.path === undefined) {
      run.onGivenUp(finding.check);
      isOver = true;
    }
  }

  return {
    async upTo(end) {
      if (run.path !== undefined) {
        isOver ||= run.isStopped();
        await (isOver ? undefined : step(1));
        isOver = true;
        return;
      }
      const last = Math.min(end, total);
      while (!isOver && next < last && !run.isStopped()) {
        await step(last - next);
      }
    },
  };
}

/**
 * Runs a property to its end.
 *
 * @throws what upTo of {@link PropertySearch} throws
 */
export async function runProperty(run: PropertyRun): Promise<void> {
  await searchProperty(run).upTo(Infinity);
}
