import { buildRequest } from '../arbitrary/build-request.ts';
import type { CheckId } from '../check/check-id.ts';
import type { Finding } from '../check/finding.ts';
import { classifyStatus } from '../check/status-class.ts';
import { confirmAlone } from './confirm-alone.ts';
import type { Confirmation } from './confirmation.ts';
import type { SessionRecord } from './create-session.ts';
import { isOfItsKey } from './is-of-its-key.ts';
import { isSameCause } from './is-same-cause.ts';
import { mayComeOfState } from './may-come-of-state.ts';
import { recordsThatShow } from './records-that-show.ts';
import { runCase } from './run-case.ts';
import type { PropertyRun } from './run-property.ts';
import type { CauseFound } from './search-cause.ts';
import { triesToConfirm } from './tries-to-confirm.ts';

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
 * The request that a live store may hold the key of, where that is all that a finding rests on: one that went out
 * under a fresh key, and whose own exchange shows it.
 */
function findSuspect({ finding, records }: CauseFound): SessionRecord | undefined {
  if (!mayComeOfState(finding, records)) {
    return undefined;
  }
  const showing = recordsThatShow(finding, records);
  return showing.every(({ judged }) => judged.request.key === 'allocated') ? showing[0] : undefined;
}

/** Whether all that shows a finding comes of the keys that it went out under. */
async function areOfTheirKeys(run: PropertyRun, showing: readonly SessionRecord[]): Promise<boolean> {
  for (const record of showing) {
    if (!(await isOfItsKey(run.session, record))) {
      return false;
    }
  }
  return true;
}

/**
 * Runs the case of a finding again; oftener where it does not come back.
 *
 * @param input.wanted - how often it has to come back
 * @param input.mayBeHeld - whether only what comes of no key counts: one of many fresh keys is held each time
 */
async function confirmByCase(
  run: PropertyRun,
  { finding: found, testCase }: CauseFound,
  { wanted, mayBeHeld }: { readonly wanted: number; readonly mayBeHeld: boolean },
): Promise<Confirmation> {
  let seen = 0;
  let tried = 0;
  let records: readonly SessionRecord[] = [];
  // What is to come back each time is not tried further once it stays away.
  while ((tried < wanted && seen === tried) || (seen < tried && tried < 3)) {
    const outcome = await runCase(run, testCase, { far: true });
    tried += 1;
    const again = outcome.findings.find((finding) => isSameCause(finding, found));
    if (again === undefined) {
      continue;
    }
    const shown = outcome.recordsOf(again);
    if (mayBeHeld && (await areOfTheirKeys(run, recordsThatShow(found, shown)))) {
      continue;
    }
    seen += 1;
    records = shown;
  }
  return { seen, tried, records };
}

/**
 * Sends what showed a finding again, with fresh keys, to see whether it comes back. Where what a live store holds
 * may be the cause, the one request is sent alone, several times: of the many keys of a whole case such a store
 * holds one nearly each time. Only what does not come back so is tried among the other requests of its case.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function confirmFinding(run: PropertyRun, cause: CauseFound): Promise<Confirmation> {
  const { finding: found } = cause;
  const others = found.check === 'timed-out' ? await countOtherHangs(run, found) : 0;
  // Where the service is known to hang, one more hang is told of as seen once: a run is to end in the time that
  // one of them takes.
  if (others > 0 || (found.check === 'timed-out' && run.hangs() > run.sightings(found))) {
    return { seen: others, tried: others, records: [] };
  }
  const wanted = triesToConfirm(cause, run.plainBodies());
  const suspect = findSuspect(cause);
  const alone =
    suspect === undefined
      ? undefined
      : await confirmAlone({ session: run.session, finding: found, record: suspect, tries: wanted });
  const isSettled = alone !== undefined && (alone.seen === alone.tried || cause.records.length === 1);
  const confirmation = isSettled
    ? alone
    : await confirmByCase(run, cause, { wanted, mayBeHeld: suspect !== undefined });
  const [shown] = recordsThatShow(found, confirmation.records);
  if (shown !== undefined && ofSpelling.has(found.check) && (await isRefusedAnyway(run, shown))) {
    return { seen: 0, tried: confirmation.tried, records: [] };
  }
  return confirmation;
}
