import type { CheckContext } from '../check/check-context.ts';
import type { Finding } from '../check/finding.ts';
import { confirmFinding } from './confirm-finding.ts';
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

/** How many causes one property may bring to light. */
const mostCauses = 12;
/** How often a case may turn out to show what is known. */
const mostExplained = 24;

async function confirmAndTell(run: PropertyRun, found: CauseFound): Promise<void> {
  const { finding, path } = found;
  try {
    const { seen, tried, records } = await confirmFinding(run, finding, found.testCase);
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
  let causes = 0;
  let explained = 0;
  while (causes < mostCauses && explained < mostExplained && left > 0 && !run.isStopped()) {
    const found = await searchCause(run, start, left);
    if (found === undefined) {
      return;
    }
    const { finding, path, isExplained } = found;
    causes += isExplained ? 0 : 1;
    explained += isExplained ? 1 : 0;
    if (!isExplained) {
      await confirmAndTell(run, found);
    }
    const index = Number(path.split(':', 1)[0]);
    start = String(index + 1);
    left = run.path === undefined ? total - index - 1 : 0;
    if (finding.check === 'timed-out' && left > 0) {
      run.onHang();
      return;
    }
  }
}
