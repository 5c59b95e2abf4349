import fc from 'fast-check';
import { firstCase } from '../arbitrary/request-case.ts';
import { simplifyWith } from '../arbitrary/shrink-request.ts';
import { type CheckId, type Finding, locateFinding } from '../check/finding.ts';
import type { CheckContext, CheckedExchange, TraceFinding } from '../check/classify/subject.ts';
import type { FindingLedger } from '../events/ledger.ts';
import { CreatesSpent, NoItem, withMakers } from '../session/items.ts';
import type { RunMemory } from '../session/memory.ts';
import {
  type CaseSession,
  EndedAtHang,
  isSameCause,
  type Sender,
  type SessionRecord,
} from '../session/send-case.ts';
import type { Property } from './suite.ts';

/** The context for running a property. */
export interface PropertyRun {
  readonly property: Property;
  readonly sender: Sender;
  readonly context: CheckContext;
  readonly seed: number;
  readonly runs: number;
  /** A case to start at; no other is tried. */
  readonly path: string | undefined;
  /** The findings of the run so far, by any property. Findings of whole cases are counted there. */
  readonly ledger: Pick<FindingLedger, 'isKnown' | 'occurrences' | 'hangs' | 'count'>;
  readonly memory: Pick<RunMemory, 'plain'>;
  readonly isStopped: () => boolean;
  /** Compares the outcome of a case with that of the reference service, if that receives the case as a whole. */
  readonly compare?:
    | ((
        testCase: unknown,
        trace: readonly CheckedExchange[],
        concluded: readonly TraceFinding[],
      ) => Promise<readonly TraceFinding[]>)
    | undefined;
  /** Called with the requests of each case after it. */
  readonly takeAway?: ((records: readonly SessionRecord[]) => Promise<void>) | undefined;
  /**
   * Called with the first new finding of a case, before the case is shrunk. Resolves to whether to shrink it; another
   * part of the run may do so already.
   */
  readonly onFailedCase?: (finding: Finding) => Promise<boolean>;
  /** Called for the exchanges of each case. */
  readonly onCase?: (trace: readonly CheckedExchange[]) => void;
  /** Called with the reason why a case could not be sent: it had no item. */
  readonly onNoItem?: (why: NoItem) => void;
  /** Called with the check whose finding makes every further case too costly to try. */
  readonly onGivenUp: (check: CheckId) => void;
  readonly onFinding: (found: PropertyFinding) => void;
}

/** A finding, the smallest case that shows it, and how to replay it. */
export interface PropertyFinding {
  readonly finding: Finding;
  readonly records: readonly SessionRecord[];
  /** The fast-check path of the case. */
  readonly path: string;
  readonly confirmed: { readonly seen: number; readonly tried: number };
}

/** Checks whose findings cost a timeout or the maximum content length each time. */
export const costlyChecks: ReadonlySet<CheckId> = new Set<CheckId>(['timed-out', 'response-size']);

/** The outcome of one case. */
interface CaseOutcome {
  readonly findings: readonly Finding[];
  /** Returns the exchanges that a finding is based on: all if its check names none. */
  readonly recordsOf: (finding: Finding) => readonly SessionRecord[];
  /** Whether the run ended it before its end, so that a missing finding proves nothing. */
  readonly isCut: boolean;
  /** Whether each repetition takes long, because the run waits for a lag that the document states. */
  readonly isSlow: boolean;
  /** The number of its requests. */
  readonly requests: number;
}

/**
 * Runs one case of a property, up to the first request without a response. Checks its exchanges one by one and
 * together. With `far`, its ids are from a disjoint range.
 */
export async function runCase(
  run: PropertyRun,
  testCase: unknown,
  { far }: { readonly far: boolean },
): Promise<CaseOutcome> {
  const { property, context, ledger } = run;
  const session = run.sender.open({ far, endsAtHang: true });
  const { records } = session;
  const sent = await runToHang(run, testCase, session);
  await run.takeAway?.(records);
  const isCut = sent === 'not-sent' || sent === 'not-made';
  const trace = isCut ? [] : sent;
  const isSlow = session.areWaitsLong();
  if (sent === 'not-sent') return { findings: [], recordsOf: () => [], isCut, isSlow, requests: 0 };
  run.onCase?.(trace);
  const single = records.flatMap(({ judged }) => judged.findings);
  const shown = new Map<Finding, readonly SessionRecord[]>();
  const together = property.traceChecks.flatMap((check) => check(trace, context));
  const compared = (isCut ? undefined : await run.compare?.(testCase, trace, together)) ?? together;
  for (const { shownBy, ...concluded } of compared) {
    const finding = locateFinding(concluded, context.contract);
    const some = shownBy && records.filter(({ judged }) => shownBy.includes(judged));
    shown.set(finding, some === undefined ? records : withMakers(records, some));
    ledger.count(finding);
  }
  return {
    findings: [...single, ...shown.keys()],
    recordsOf: (finding) => shown.get(finding) ?? records,
    isCut,
    isSlow,
    requests: records.length,
  };
}

/**
 * @returns the result of the property, or the exchanges up to a hang or the end of time; `not-sent` after it, and
 * `not-made` if the case needs more items than the run may create
 */
async function runToHang(
  { property, onNoItem }: PropertyRun,
  testCase: unknown,
  session: CaseSession,
): Promise<readonly CheckedExchange[] | 'not-sent' | 'not-made'> {
  try {
    return await property.run(testCase, session);
  } catch (error) {
    if (error instanceof EndedAtHang) {
      if (session.records.length === 0) return 'not-sent';
      // Some of the concurrent requests may still be pending, so missing responses prove nothing.
      return property.sendsTogether === true ? [] : session.records.map(({ judged }) => judged);
    }
    if (error instanceof NoItem) {
      onNoItem?.(error);
      if (error instanceof CreatesSpent) return 'not-made';
      return [];
    }
    throw error;
  }
}

/** A shrunk case that shows something new. */
export interface CauseFound {
  readonly finding: Finding;
  readonly testCase: unknown;
  /** The fast-check path of the case. */
  readonly path: string;
  readonly records: readonly SessionRecord[];
  /** Whether a smaller case showed that the cause was already known. */
  readonly isExplained: boolean;
  /** Other new findings of its case, or of cases tried while shrinking; each with the first path to it. */
  readonly besides: readonly { readonly finding: Finding; readonly path: string }[];
}

/** The maximum number of cases to try while shrinking. */
const mostShrinks = 80;

/**
 * Returns the number of requests after which shrinking ends. A list that grows with each case, because nothing is deleted,
 * would take thousands.
 */
const mostShrinkRequests = (ofCase: number): number => Math.max(300, 12 * ofCase);

/** Messages that end a case and the search, without an error in Cloche. */
const foundOne = 'found';
const stopped = 'stopped';

const worth = { violation: 2, warning: 1, note: 0 } as const;

/**
 * Returns whether a smaller case may show the same cause: only the trigger differs, and it is absent or was already
 * present.
 */
function mayExplain(smaller: Finding, larger: Finding): boolean {
  const { trigger, otherTriggers = [] } = larger;
  const isPossible = smaller.trigger === undefined || otherTriggers.includes(smaller.trigger);
  return isPossible && trigger !== undefined && isSameCause({ ...smaller, trigger }, larger);
}

/** Tracks the fast-check path: it names the case of a run, then at each level the smaller case that failed. */
function followPath(start: string | undefined): { next(): string; descend(): void } {
  const levels = start?.split(':') ?? ['0'];
  let above = levels.slice(0, -1);
  let at = Number(levels.at(-1)) - 1;
  const path = (): readonly string[] => [...above, String(at)];
  return {
    next() {
      at += 1;
      return path().join(':');
    },
    descend() {
      above = [...path()];
      at = -1;
    },
  };
}

/** Returns the new finding that makes a case the smallest so far, if there is one. */
function pick(fresh: readonly Finding[], wanted: Finding | undefined): Finding | undefined {
  if (wanted === undefined) return fresh.toSorted((left, right) => worth[right.level] - worth[left.level])[0];
  // Without the requests that prove a violation, a smaller case may show a warning of the same cause.
  const certain = fresh.filter(({ level }) => worth[level] >= worth[wanted.level]);
  return (
    certain.find((finding) => isSameCause(finding, wanted)) ??
    certain.find((finding) => mayExplain(finding, wanted))
  );
}

/** Returns whether another trigger in the smallest case is known to cause the finding. */
function hasKnownTrigger(run: PropertyRun, finding: Finding): boolean {
  return (finding.otherTriggers ?? []).some((trigger) => run.ledger.isKnown({ ...finding, trigger }));
}

/**
 * Searches a number of cases, from a start case, for the next new cause, and shrinks its case. While shrinking, the
 * trigger may change: of a text with NUL and with non-ASCII characters, only one may be the cause. If that trigger is
 * known, nothing new was found. A path into a shrunk case is only that case, unless it `goesOn`. If the search
 * `onlyLooks`, the case is not shrunk.
 * @throws any error of the property
 */
export async function searchCause(
  run: PropertyRun,
  {
    start,
    runs,
    goesOn = false,
    onlyLooks = false,
  }: {
    readonly start: string | undefined;
    readonly runs: number;
    readonly goesOn?: boolean;
    readonly onlyLooks?: boolean;
  },
): Promise<CauseFound | undefined> {
  const { property, seed } = run;
  const cursor = followPath(start);
  const besides: { finding: Finding; path: string }[] = [];
  let smallest: Omit<CauseFound, 'path' | 'isExplained' | 'besides'> | undefined;
  let isExplained = false;
  let shrinks = 0;
  let leftRequests = Infinity;
  let failure: Error | undefined;

  async function tryCase(testCase: unknown): Promise<void> {
    // After an error, fast-check would try smaller cases, and send their requests.
    if (failure !== undefined) return;
    const path = cursor.next();
    if (run.isStopped() && smallest === undefined) {
      // Further cases of fast-check would be generated for nothing.
      throw new Error(stopped);
    }
    if (run.isStopped() || isExplained || shrinks > mostShrinks || leftRequests < 0) return;
    shrinks += smallest === undefined ? 0 : 1;
    const { findings, recordsOf, isSlow, requests } = await runCase(run, testCase, { far: false }).catch(
      (error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error));
        throw failure;
      },
    );
    leftRequests = smallest === undefined ? mostShrinkRequests(requests) : leftRequests - requests;
    const costly = findings.find((finding) => costlyChecks.has(finding.check) && run.ledger.isKnown(finding));
    if (costly !== undefined) {
      run.onGivenUp(costly.check);
      return;
    }
    const wanted = smallest?.finding;
    const known = findings.filter((one) => run.ledger.isKnown(one));
    const fresh = findings.filter((one) => worth[one.level] > 0 && !known.includes(one));
    isExplained ||= wanted !== undefined && known.some((one) => mayExplain(one, wanted));
    const finding = pick(fresh, wanted);
    // Other new findings are searched for later.
    for (const other of fresh) {
      const seen = [finding ?? wanted, ...besides.map((one) => one.finding)];
      if (!seen.some((one) => one && isSameCause(one, other))) besides.push({ finding: other, path });
    }
    if (finding === undefined) return;
    const isShrunkElsewhere = smallest === undefined && (await run.onFailedCase?.(finding)) === false;
    cursor.descend();
    smallest = { finding, testCase, records: recordsOf(finding) };
    // It is not shrunk, because each try would be as costly, or because the time of a response differs each time.
    const isOnlyFound =
      isShrunkElsewhere || isSlow || costlyChecks.has(finding.check) || finding.check === 'too-slow';
    shrinks += isOnlyFound ? mostShrinks + 1 : 0;
    throw new Error(foundOne);
  }

  // If the search only looks, only the first case is created.
  const first = onlyLooks && start === '0' ? firstCase(property) : undefined;
  const examples = first === undefined ? property.examples : [first];
  const random = first === undefined ? property.arbitrary : undefined;
  const made = random ?? fc.constantFrom(...examples);
  const simplify = (large: unknown): Iterable<unknown> => property.simplify?.(large) ?? [];
  const arbitrary = property.simplify === undefined ? made : simplifyWith(made, simplify, run.isStopped);
  const details = await fc.check(fc.asyncProperty(arbitrary, tryCase), {
    seed,
    numRuns: runs,
    // A path into a shrunk case is only that case, which is not shrunk further.
    endOnFailure: onlyLooks || (!goesOn && (start?.includes(':') ?? false)),
    examples: examples.map((example): [unknown] => [example]),
    ...(start === undefined ? {} : { path: start }),
  });
  if (failure !== undefined) throw failure;
  const { errorInstance } = details;
  if (errorInstance instanceof Error && ![foundOne, stopped].includes(errorInstance.message)) {
    throw errorInstance;
  }
  const path = details.counterexamplePath;
  if (smallest === undefined || path === null) return undefined;
  isExplained ||= hasKnownTrigger(run, smallest.finding);
  return { ...smallest, path, isExplained, besides };
}
