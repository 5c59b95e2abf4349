import { buildRequest } from '../arbitrary/build-request.ts';
import type { CheckId } from '../check/check-id.ts';
import type { Finding } from '../check/finding.ts';
import { classifyStatus } from '../check/status-class.ts';
import type { SessionRecord } from './create-session.ts';
import { isSameCause } from './is-same-cause.ts';
import { mayBeStored } from './may-be-stored.ts';
import { mayComeOfState } from './may-come-of-state.ts';
import { runCase } from './run-case.ts';
import type { PropertyRun } from './run-property.ts';
import type { CauseFound } from './search-cause.ts';
import { triesAgainstChance } from './tries-against-chance.ts';

/** How often a finding came back. */
export interface Confirmation {
  readonly seen: number;
  readonly tried: number;
  /** The exchanges that showed it last; none where it was not tried again or never came back. */
  readonly records: readonly SessionRecord[];
}

/** So often chance alone hardly meets the keys of a store that holds one in three of them. */
const triesOfStored = 10;

/** Refusals, and what was stored before, can come of what a live store holds; they have to come back for keys far apart. */
function triesToConfirm(run: PropertyRun, { finding, records }: CauseFound): number {
  if (finding.check === 'echo' && records.some(({ judged }) => mayBeStored(judged))) {
    return triesOfStored;
  }
  return mayComeOfState(finding) ? triesAgainstChance(run.plainBodies(), { least: 3, most: 16 }) : 1;
}

/** What speaks against the spelling of a request says nothing unless the usual spelling is taken. */
const ofSpelling = new Set<CheckId>(['credential-spelling', 'media-type-spelling']);

/** Whether the body of a request is refused under its usual spelling too: a part of it may have to be unique. */
async function isRefusedAnyway(run: PropertyRun, { request, judged }: SessionRecord): Promise<boolean> {
  const { operation } = judged;
  if (operation === undefined) {
    return false;
  }
  const usual = buildRequest(operation, { body: request.body });
  for (let tried = 0; tried < 3; tried += 1) {
    const { result } = await run.session.record((session) => session.send(usual, session.bindKeys()), {
      far: true,
    });
    if (classifyStatus(result.answer) === 'accepted') {
      return false;
    }
  }
  return true;
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
export async function confirmFinding(run: PropertyRun, cause: CauseFound): Promise<Confirmation> {
  const { finding: found, testCase } = cause;
  const others = found.check === 'timed-out' ? await countOtherHangs(run, found) : 0;
  // Where the service is known to hang, one more hang is told of as seen once: a run is to end in the time that
  // one of them takes.
  if (others > 0 || (found.check === 'timed-out' && run.hangs() > run.sightings(found))) {
    return { seen: others, tried: others, records: [] };
  }
  const wanted = triesToConfirm(run, cause);
  let seen = 0;
  let tried = 0;
  let records: readonly SessionRecord[] = [];
  // What is to come back each time is not tried further once it stays away.
  while ((tried < wanted && seen === tried) || (seen < tried && tried < 3)) {
    const outcome = await runCase(run, testCase, { far: true });
    tried += 1;
    const again = outcome.findings.find((finding) => isSameCause(finding, found));
    if (again !== undefined) {
      seen += 1;
      records = outcome.recordsOf(again);
    }
  }
  const [shown] = records.filter(({ judged }) => judged.findings.some((other) => isSameCause(other, found)));
  if (shown !== undefined && ofSpelling.has(found.check) && (await isRefusedAnyway(run, shown))) {
    return { seen: 0, tried, records: [] };
  }
  return { seen, tried, records };
}
