import { buildRequest } from '../arbitrary/request.ts';
import { foreignTexts } from '../check/checks/echo.ts';
import { describeReceived } from '../check/describe.ts';
import type { CheckId, Finding } from '../check/finding.ts';
import { classifyStatus, mayBeStored } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
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

/** The number of times that a finding was reproduced. */
interface Confirmation {
  readonly seen: number;
  readonly tried: number;
  /** The last exchanges that showed it; none if it was not tried again or not reproduced. */
  readonly records: readonly SessionRecord[];
}

/**
 * Repeats the one request that showed a finding, alone and with ids from a disjoint range, until it is not reproduced.
 * @throws ClocheError CANNOT_JUDGE if the service is unreachable
 */
export async function confirmAlone(input: {
  readonly sender: Sender;
  readonly finding: Finding;
  readonly record: SessionRecord;
  /** The required number of reproductions. */
  readonly tries: number;
}): Promise<Confirmation> {
  const { sender, finding, record, tries } = input;
  let last: readonly SessionRecord[] = [];
  for (let seen = 0; seen < tries; seen += 1) {
    const session = sender.open({ far: true });
    await session.send(record.request, session.openIdContext());
    const { records } = session;
    if (recordsThatShow(finding, records).length === 0) return { seen, tried: seen + 1, records: last };
    last = records;
  }
  return { seen: tries, tried: tries, records: last };
}

/** The maximum number of repetitions: because of concurrent requests, the service may reject it once more. */
const most = 3;

/**
 * Returns whether a request with a fresh id that was rejected, or that returned another text, has the same outcome each
 * time it is repeated with that id. This is so if a live store has contained the id all along. If the request is
 * accepted now, or is rejected only because it created the item, the id was not the cause.
 */
async function isOfItsKey(sender: Sender, { request, keys, judged }: SessionRecord): Promise<boolean> {
  const wasTaken = classifyStatus(judged.answer) === 'accepted';
  for (let tried = 0; tried < most; tried += 1) {
    const again = await sender.open().send(request, keys);
    const outcome = classifyStatus(again.answer);
    // The id is no longer fresh, but must be treated as fresh.
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

/** Policy violations by a rejected valid request, with a status that an existing id may cause. */
const refusedDrift =
  /^(?:accept|body-limit|constraints|duplicate-keys-in-json|int64-range|integer-notation|read-only-sent|undeclared-properties|unsupported-media-type) (?:400|409|422)$/u;

/**
 * Returns whether older data in a live store may cause a finding. Then the finding counts only if it is reproduced each
 * time with ids from a disjoint range. 409, 422 and redirects may be due to an existing id, and a completely wrong echo
 * may be the stored item.
 */
export function mayComeOfState(finding: Finding, records: readonly SessionRecord[]): boolean {
  const { check, cause } = finding;
  if (check === 'echo') return recordsThatShow(finding, records).some(({ judged }) => mayBeStored(judged));
  if (check === 'drift') return refusedDrift.test(cause);
  return checks.has(check) || (check === 'undeclared-status' && /^(?:3\d\d|409|422)$/u.test(cause));
}

/** Returns whether a finding counts only if it is reproduced: a store, another request or chance may have caused it. */
export function mustComeBack(finding: Finding, records: readonly SessionRecord[]): boolean {
  return ['connection-dropped', 'too-slow'].includes(finding.check) || mayComeOfState(finding, records);
}

/** The accepted probability that chance rejects all tries. */
const chance = 1e-5;

/** Fewer plain bodies prove little: of a store that contains one id in three, the first ones may all be accepted. */
const few = 20;

/**
 * Returns the number of rejections with fresh ids that rule out the id as the cause. A live store may contain many of
 * the ids that a run draws. The share of rejected plain bodies with fresh ids is an estimate; with few requests, some
 * are assumed to exist (Laplace's rule of succession).
 */
export function triesAgainstChance(
  { sent, accepted }: { readonly sent: number; readonly accepted: number },
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const refused = sent - accepted;
  // If no plain body is sent, there are no ids.
  if (sent === 0 || (refused <= 0 && sent >= few)) return least;
  const found = sent < few ? (refused + 1) / (sent + 2) : refused / sent;
  // Without an accepted body, the share rejected because of ids is unknown.
  const share = Math.min(0.9, found);
  return Math.min(most, Math.max(least, Math.ceil(Math.log(chance) / Math.log(share))));
}

/** After this number of tries, existing ids are an unlikely cause, even if a store contains one in three. */
const triesOfStored = 10;

/**
 * Returns the required number of reproductions: one, or several with different ids if a live store may be the cause. It
 * depends on the plain bodies with fresh ids so far.
 */
export function triesToConfirm(
  { finding, records }: { readonly finding: Finding; readonly records: readonly SessionRecord[] },
  plain: { readonly sent: number; readonly accepted: number },
): number {
  // One late response may be a hiccup.
  if (finding.check === 'too-slow') return 2;
  if (!mayComeOfState(finding, records)) return 1;
  // A response that contains a stored item counts as accepted.
  return finding.check === 'echo' ? triesOfStored : triesAgainstChance(plain, { least: 3, most: 16 });
}

/** Checks of spelling, which prove nothing unless the usual spelling is accepted. */
const ofSpelling = new Set<CheckId>(['credential-spelling', 'media-type-spelling']);

/** Returns whether the body is also rejected with the usual spelling: a part of it may have to be unique. */
async function isRefusedAnyway(run: PropertyRun, { request, judged }: SessionRecord): Promise<boolean> {
  const { operation } = judged;
  if (operation === undefined) return false;
  const usual = buildRequest(operation, { body: request.body });
  for (let tried = 0; tried < 3; tried += 1) {
    const session = run.sender.open({ far: true });
    const { answer } = await session.send(usual, session.openIdContext());
    if (classifyStatus(answer) === 'accepted') return false;
  }
  return true;
}

/** The time to wait for other requests that hang for the same cause. They were sent at about the same time. */
const hangsTogetherMs = 100;

/** Counts the other hangs of the same cause. Each is a repetition by another property, which saves another timeout. */
async function countOtherHangs(run: PropertyRun, found: Finding): Promise<number> {
  await waitFor(hangsTogetherMs);
  return run.ledger.occurrences(found) - 1;
}

/** Returns whether concurrent requests may have caused the rejection of a valid request. */
function isOfCrowd({ property }: PropertyRun, { check }: Finding): boolean {
  return property.sendsTogether === true && check === 'undeclared-constraint';
}

/** Returns the one request that shows a finding with a fresh id, if a live store may contain that id. */
function findSuspect(run: PropertyRun, { finding, records }: CauseFound): SessionRecord | undefined {
  if (!mayComeOfState(finding, records)) return undefined;
  const showing = recordsThatShow(finding, records);
  if (isOfCrowd(run, finding)) return showing[0];
  return showing.every(({ judged }) => judged.request.key === 'allocated') ? showing[0] : undefined;
}

/** Returns whether the ids of all requests that show a finding are its cause. */
async function areOfTheirKeys(run: PropertyRun, showing: readonly SessionRecord[]): Promise<boolean> {
  for (const record of showing) {
    if (!(await isOfItsKey(run.sender, record))) return false;
  }
  return true;
}

/**
 * Repeats the case of a finding, more often if it is not reproduced. If ids may exist already, only requests count
 * whose id is not the cause: one of many fresh ids exists each time.
 */
async function confirmByCase(
  run: PropertyRun,
  { finding: found, testCase }: CauseFound,
  { wanted, mayBeHeld }: { readonly wanted: number; readonly mayBeHeld: boolean },
): Promise<Confirmation> {
  let seen = 0;
  let tried = 0;
  let records: readonly SessionRecord[] = [];
  // If a finding must be reproduced each time, one failure ends the repetitions.
  while ((tried < wanted && seen === tried) || (seen < tried && tried < 3)) {
    const outcome = await runCase(run, testCase, { far: true });
    const again = outcome.findings.find((finding) => isSameCause(finding, found));
    if (again === undefined && outcome.isCut) break;
    tried += 1;
    if (again === undefined) continue;
    const shown = outcome.recordsOf(again);
    if (mayBeHeld && (await areOfTheirKeys(run, recordsThatShow(found, shown)))) continue;
    seen += 1;
    records = shown;
  }
  return { seen, tried, records };
}

/**
 * Repeats the requests that showed a finding, with fresh ids. If a live store may be the cause, the one request is sent
 * alone several times, because the store contains one of the many ids of a case almost each time. If that does not
 * reproduce the finding, the whole case is repeated.
 * @throws ClocheError CANNOT_JUDGE if the service is unreachable
 */
export async function confirmFinding(run: PropertyRun, cause: CauseFound): Promise<Confirmation> {
  const { finding: found } = cause;
  const others = found.check === 'timed-out' ? await countOtherHangs(run, found) : 0;
  // If the service is known to hang, another hang is reported as seen once. This keeps the run within the time of one
  // timeout.
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

/** The requests that show a finding, and how to send them. */
interface NeededRequests {
  /** In order; the last one shows the finding. */
  readonly records: readonly RenderedRecord[];
  /** The last request, with its response. */
  readonly shown: SessionRecord;
  /** Whether they were all concurrent. */
  readonly sideBySide: boolean;
  /** The outcome of each request, as text; missing if one of them has an older response. */
  readonly outcomes?: readonly string[];
  /** The exchanges of all except the one that shows it. */
  readonly earlier?: readonly CheckedExchange[];
}

function outcomeOf({ answer }: CheckedExchange): string {
  return answer.kind === 'none' ? describeReceived(answer) : String(answer.response.status);
}

function withOutcomes(records: readonly SessionRecord[], shown: SessionRecord): NeededRequests {
  // Requests that create items precede the concurrent ones.
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

/** Returns the request that sent the text found in the response to another, followed by that other request. */
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
 * Returns the requests that show a finding, the decisive one last: all if the check evaluated a sequence, the requests
 * up to one exchange, or only that one if no earlier request matters. Undefined if nothing was recorded.
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
  // A hang is not shrunk, so the requests before it may be unrelated.
  const isAlone = finding.check === 'timed-out' && key !== 'sent' && key !== 'colliding';
  return withOutcomes(isAlone ? withMakers(records, [shown]) : records.slice(0, at + 1), shown);
}
