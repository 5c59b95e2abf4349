import { buildRequest } from '../arbitrary/request.ts';
import { foreignTexts } from '../check/checks/echo.ts';
import { describeReceived } from '../check/describe.ts';
import type { CheckId, Finding } from '../check/finding.ts';
import { classifyStatus, mayBeStored } from '../check/reading/answer.ts';
import type { CheckedExchange } from '../check/reading/subject.ts';
import { namesItem, withMakers } from '../session/items.ts';
import type { SentTexts } from '../session/memory.ts';
import {
  isSameCause,
  recordsThatShow,
  type RenderedRecord,
  type Sender,
  type SessionRecord,
} from '../session/send-case.ts';
import { waitFor } from '../session/throttle.ts';
import { type CauseFound, type PropertyFinding, type PropertyRun, runCase } from './search.ts';

/** How often a finding came back. */
interface Confirmation {
  readonly seen: number;
  readonly tried: number;
  /** The exchanges that showed it last; none where it was not tried again or never came back. */
  readonly records: readonly SessionRecord[];
}

/**
 * Sends the one request that showed a finding again, alone and with keys far apart, until the finding stays away.
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function confirmAlone(input: {
  readonly sender: Sender;
  readonly finding: Finding;
  readonly record: SessionRecord;
  /** How often it has to come back. */
  readonly tries: number;
}): Promise<Confirmation> {
  const { sender, finding, record, tries } = input;
  let last: readonly SessionRecord[] = [];
  for (let seen = 0; seen < tries; seen += 1) {
    const session = sender.open({ far: true });
    await session.send(record.request, session.bindKeys());
    const { records } = session;
    if (recordsThatShow(finding, records).length === 0) return { seen, tried: seen + 1, records: last };
    last = records;
  }
  return { seen: tries, tried: tries, records: last };
}

/** So often a request is sent again: what else is under way may have the service refuse it once more. */
const most = 3;

/**
 * Whether a request that was refused, or answered with another text, under a fresh key comes to the same each time
 * under that very key. It does where a live store holds the key since last week; where it is accepted now, or refused
 * since it was created after all, something else was to blame.
 */
async function isOfItsKey(sender: Sender, { request, keys, judged }: SessionRecord): Promise<boolean> {
  const wasTaken = classifyStatus(judged.answer) === 'accepted';
  for (let tried = 0; tried < most; tried += 1) {
    const again = await sender.open().send(request, keys);
    const outcome = classifyStatus(again.answer);
    // Its key is no longer fresh, but is to be read as though it were.
    const isStored = mayBeStored({ ...again, request: { ...again.request, key: judged.request.key } });
    if (outcome === 'accepted' ? !isStored : wasTaken && outcome === 'refused') return false;
  }
  return true;
}

const checks = new Set<CheckId>([
  'undeclared-constraint',
  'refused-leaves-trace',
  'twin-keys',
  'credential-spelling',
  'media-type-spelling',
  'parity',
]);

/** Drift that is a refusal of a valid request, by a status that may speak of a key that exists. */
const refusedDrift =
  /^(?:accept|body-limit|constraints|duplicate-keys-in-json|int64-range|integer-notation|read-only-sent|undeclared-properties|unsupported-media-type) (?:400|409|422)$/u;

/**
 * Whether a finding may come of what a live store holds since last week: it says nothing then unless it comes back
 * for keys far apart, each time. 409, 422 and a redirection may speak of a key that exists, and an echo that is wrong
 * in every way may be what was stored.
 */
export function mayComeOfState(finding: Finding, records: readonly SessionRecord[]): boolean {
  const { check, cause } = finding;
  if (check === 'echo') return recordsThatShow(finding, records).some(({ judged }) => mayBeStored(judged));
  if (check === 'drift') return refusedDrift.test(cause);
  return checks.has(check) || (check === 'undeclared-status' && /^(?:3\d\d|409|422)$/u.test(cause));
}

/** How seldom chance alone may have all of the tries refused. */
const chance = 1e-5;

/** So few plain bodies say little: of a store that holds one key in three, the first ones may all be accepted. */
const few = 20;

/**
 * How often something has to be refused, with fresh keys, before the key is not to blame. A live store may hold many
 * of the keys that a run draws: the share of plain bodies under fresh keys that it refused says how many, and while
 * few were sent it is assumed to hold some of them (Laplace's rule of succession).
 */
export function triesAgainstChance(
  { sent, accepted }: { readonly sent: number; readonly accepted: number },
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const refused = sent - accepted;
  // Where none is ever sent, nothing has a key.
  if (sent === 0 || (refused <= 0 && sent >= few)) return least;
  const found = sent < few ? (refused + 1) / (sent + 2) : refused / sent;
  // Nothing accepted yet says nothing of what is refused for its key.
  const share = Math.min(0.9, found);
  return Math.min(most, Math.max(least, Math.ceil(Math.log(chance) / Math.log(share))));
}

/** So often chance alone hardly meets the keys of a store that holds one in three of them. */
const triesOfStored = 10;

/**
 * How often a finding has to come back: once, or, where what a live store holds may be the cause, several times for
 * other keys, by the plain bodies under fresh keys so far.
 */
export function triesToConfirm(
  { finding, records }: { readonly finding: Finding; readonly records: readonly SessionRecord[] },
  plain: { readonly sent: number; readonly accepted: number },
): number {
  if (!mayComeOfState(finding, records)) return 1;
  // What is answered with what was stored counts as accepted.
  return finding.check === 'echo' ? triesOfStored : triesAgainstChance(plain, { least: 3, most: 16 });
}

/** What speaks against the spelling of a request says nothing unless the usual spelling is accepted. */
const ofSpelling = new Set<CheckId>(['credential-spelling', 'media-type-spelling']);

/** Whether the body of a request is refused under its usual spelling too: a part of it may have to be unique. */
async function isRefusedAnyway(run: PropertyRun, { request, judged }: SessionRecord): Promise<boolean> {
  const { operation } = judged;
  if (operation === undefined) return false;
  const usual = buildRequest(operation, { body: request.body });
  for (let tried = 0; tried < 3; tried += 1) {
    const session = run.sender.open({ far: true });
    const { answer } = await session.send(usual, session.bindKeys());
    if (classifyStatus(answer) === 'accepted') return false;
  }
  return true;
}

/** How long other requests that hang for the same cause are waited for; they were sent about the same time. */
const hangsTogetherMs = 100;

/** The other hangs of the same cause, each the case run again by another property: they spare one more time-out. */
async function countOtherHangs(run: PropertyRun, found: Finding): Promise<number> {
  await waitFor(hangsTogetherMs);
  return run.ledger.occurrences(found) - 1;
}

/** Whether a valid request may have been refused for what was sent beside it. */
function isOfCrowd({ property }: PropertyRun, { check }: Finding): boolean {
  return property.sendsTogether === true && check === 'undeclared-constraint';
}

/** The one request that a finding rests on, under a fresh key that a live store may hold, whose own exchange shows it. */
function findSuspect(run: PropertyRun, { finding, records }: CauseFound): SessionRecord | undefined {
  if (!mayComeOfState(finding, records)) return undefined;
  const showing = recordsThatShow(finding, records);
  if (isOfCrowd(run, finding)) return showing[0];
  return showing.every(({ judged }) => judged.request.key === 'allocated') ? showing[0] : undefined;
}

/** Whether all that shows a finding comes of the keys that it went out under. */
async function areOfTheirKeys(run: PropertyRun, showing: readonly SessionRecord[]): Promise<boolean> {
  for (const record of showing) {
    if (!(await isOfItsKey(run.sender, record))) return false;
  }
  return true;
}

/**
 * Runs the case of a finding again; oftener where it does not come back. Where keys may be held, only what comes of
 * no key counts: one of many fresh keys is held each time.
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
    if (again === undefined) continue;
    const shown = outcome.recordsOf(again);
    if (mayBeHeld && (await areOfTheirKeys(run, recordsThatShow(found, shown)))) continue;
    seen += 1;
    records = shown;
  }
  return { seen, tried, records };
}

/**
 * Sends what showed a finding again, with fresh keys. Where what a live store holds may be the cause, the one request
 * is sent alone, several times: of the many keys of a whole case such a store holds one nearly each time. Only what
 * does not come back so is tried among the other requests of its case.
 * @throws ClocheError CANNOT_JUDGE where the service is gone
 */
export async function confirmFinding(run: PropertyRun, cause: CauseFound): Promise<Confirmation> {
  const { finding: found } = cause;
  const others = found.check === 'timed-out' ? await countOtherHangs(run, found) : 0;
  // Where the service is known to hang, one more hang is reported as seen once: a run is to end in the time that
  // one of them takes.
  if (others > 0 || (found.check === 'timed-out' && run.ledger.hangs() > run.ledger.occurrences(found))) {
    return { seen: others, tried: others, records: [] };
  }
  const wanted = triesToConfirm(cause, run.memory.plain);
  const suspect = findSuspect(run, cause);
  const alone =
    suspect === undefined
      ? undefined
      : await confirmAlone({ sender: run.sender, finding: found, record: suspect, tries: wanted });
  const isSettled =
    alone !== undefined &&
    (alone.seen === alone.tried || cause.records.length === 1 || isOfCrowd(run, found));
  const confirmation = isSettled
    ? alone
    : await confirmByCase(run, cause, { wanted, mayBeHeld: suspect !== undefined });
  const [shown] = recordsThatShow(found, confirmation.records);
  if (shown !== undefined && ofSpelling.has(found.check) && (await isRefusedAnyway(run, shown))) {
    return { seen: 0, tried: confirmation.tried, records: [] };
  }
  return confirmation;
}

/** What shows a finding, and how it is to be sent. */
interface NeededRequests {
  /** In order; the last one shows it. */
  readonly records: readonly RenderedRecord[];
  /** The last of them, as it was answered. */
  readonly shown: SessionRecord;
  /** Whether they were all under way together. */
  readonly sideBySide: boolean;
  /** What each of several was answered, in words; missing where one of them was answered long ago. */
  readonly outcomes?: readonly string[];
  /** The exchanges of all but the one that shows it. */
  readonly earlier?: readonly CheckedExchange[];
}

function outcomeOf({ answer }: CheckedExchange): string {
  return answer.kind === 'none' ? describeReceived(answer) : String(answer.response.status);
}

function withOutcomes(records: readonly SessionRecord[], shown: SessionRecord): NeededRequests {
  // What makes items goes before all that is sent side by side.
  const others = records.filter(
    ({ made }) => made === undefined || !records.some((record) => namesItem(record, made)),
  );
  return {
    records,
    shown,
    sideBySide: overlap(others),
    ...(records.length > 1
      ? {
          outcomes: records.map(({ judged }) => outcomeOf(judged)),
          earlier: records.filter((record) => record !== shown).map(({ judged }) => judged),
        }
      : {}),
  };
}

function overlap(records: readonly Pick<SessionRecord, 'from' | 'to'>[]): boolean {
  const from = Math.max(...records.map((record) => record.from));
  return records.length > 1 && from < Math.min(...records.map((record) => record.to));
}

/** The request that sent what turned up in another's answer, before that one. */
function withSource(shown: SessionRecord, texts: SentTexts): NeededRequests {
  const { judged } = shown;
  const sources = foreignTexts(judged).flatMap(
    ([, text]) => texts.find(judged.operation?.id ?? '', text) ?? [],
  );
  const [source] = sources;
  if (source === undefined) return { records: [shown], shown, sideBySide: false };
  return { records: [source, shown], shown, sideBySide: overlap([source, shown]) };
}

/**
 * The requests that it takes to show a finding, the one that shows it last: all where the check judged a sequence as
 * a whole, else those up to the one exchange, or that one alone where no request before it matters. Undefined where
 * nothing was recorded.
 */
export function neededRequests(
  { finding, records }: PropertyFinding,
  texts: SentTexts,
): NeededRequests | undefined {
  const at = records.findIndex(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
  const shown = records[at] ?? records.at(-1);
  if (shown === undefined) return undefined;
  if (finding.check === 'cross-talk') return withSource(shown, texts);
  if (at === -1) return withOutcomes(records, shown);
  const { key } = shown.judged.request;
  // A hang is not made smaller, so that the requests before it may have nothing to do with it.
  const isAlone = finding.check === 'timed-out' && key !== 'sent' && key !== 'twin';
  return withOutcomes(isAlone ? withMakers(records, [shown]) : records.slice(0, at + 1), shown);
}
