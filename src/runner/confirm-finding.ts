import type { Finding } from '../check/finding.ts';
import type { SessionRecord } from './create-session.ts';
import { isSameCause } from './is-same-cause.ts';
import { mayComeOfState } from './may-come-of-state.ts';
import { runCase } from './run-case.ts';
import type { PropertyRun } from './run-property.ts';

/** How often a finding came back. */
export interface Confirmation {
  readonly seen: number;
  readonly tried: number;
  /** The exchanges that showed it last; none where it was not tried again or never came back. */
  readonly records: readonly SessionRecord[];
}

/** Refusals can come of what a live store holds; they have to come back for keys far apart. */
function triesToConfirm(finding: Finding): number {
  return mayComeOfState(finding) ? 3 : 1;
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

/**
 * Runs the case of a finding again, with fresh keys, to see whether it comes back; oftener where it does not, or
 * where what a live store holds may be the cause.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function confirmFinding(
  run: PropertyRun,
  found: Finding,
  testCase: unknown,
): Promise<Confirmation> {
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
    const outcome = await runCase(run, testCase, { far: true });
    tried += 1;
    const again = outcome.findings.find((finding) => isSameCause(finding, found));
    if (again !== undefined) {
      seen += 1;
      records = outcome.recordsOf(again);
    }
  }
  return { seen, tried, records };
}
