import type { CheckId, Finding } from '../check/finding.ts';
import type { Baseline, BaselineEntry, Conclusions, FoundCause, NotChecked, RunFinding } from './events.ts';

/** The findings of a run or of traffic: one counted entry for each cause. */
export interface FindingLedger<Found extends FoundCause = RunFinding> {
  /** Counts an occurrence of any level. */
  count(finding: Finding): void;
  /** Returns how often the cause was counted. */
  occurrences(finding: Finding): number;
  /** Returns the number of counted hangs of all causes. */
  hangs(): number;
  isKnown(finding: Finding): boolean;
  /** @returns whether the cause is new */
  add(found: Omit<Found, 'count'>): boolean;
  /** Replaces findings by one that counts for them too; they stay known. Returns true if its cause is new. */
  supersede(explained: readonly Finding[], found: Omit<Found, 'count'>): boolean;
  findings(): readonly Found[];
  notes(): readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: NotChecked[];
}

/** Returns the key of a cause without its trigger. */
function causeKey({ check, operation, cause, level }: Finding): string {
  // This runs for each finding of each exchange; no part contains NUL.
  return `${check}\0${operation}\0${cause}\0${level === 'note'}`;
}

function keyOf(finding: Finding): string {
  const { trigger } = finding;
  return trigger === undefined ? causeKey(finding) : `${causeKey(finding)} ${trigger}`;
}

/** Orders findings for a reader: violations first, then in the order of their discovery. */
function byLevel(left: FoundCause, right: FoundCause): number {
  const rank = { violation: 0, warning: 1, note: 2 } as const;
  return rank[left.finding.level] - rank[right.finding.level];
}

/** An entry with the key of its cause. */
type Keyed<Entry extends Pick<FoundCause, 'finding'>> = readonly [key: string, entry: Entry];

/**
 * Omits findings that another trigger in their request is known to cause, in any order of discovery. The report of a
 * run must not depend on the order in which its properties end.
 */
function withoutExplained<Entry extends Pick<FoundCause, 'finding'>>(
  found: readonly Keyed<Entry>[],
): readonly Keyed<Entry>[] {
  const others = ([, { finding }]: Keyed<Entry>): readonly string[] => finding.otherTriggers ?? [];
  const kept = new Set<string>();
  for (const one of found.toSorted((left, right) => others(left).length - others(right).length)) {
    const [key, { finding }] = one;
    if (!others(one).some((trigger) => kept.has(keyOf({ ...finding, trigger })))) {
      kept.add(key);
    }
  }
  return found.filter(([key]) => kept.has(key));
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Creates an empty ledger. */
export function createFindingLedger<Found extends FoundCause = RunFinding>(): FindingLedger<Found> {
  const counts = new Map<string, number>();
  const found = new Map<string, Omit<Found, 'count'>>();
  const observed = new Map<string, Finding>();
  /** The comparisons that show the tested service to be wrong, by cause. Uncompared findings have none. */
  const wrong = new Map<string, NonNullable<Finding['parity']>>();
  const superseded = new Set<string>();
  let hangs = 0;

  function add(entry: Omit<Found, 'count'>): boolean {
    const key = keyOf(entry.finding);
    if (found.has(key)) return false;
    found.set(key, entry);
    return true;
  }

  return {
    notChecked: [],
    count(finding) {
      const key = keyOf(finding);
      increase(counts, key);
      hangs += finding.check === 'timed-out' ? 1 : 0;
      if (finding.trigger !== undefined) {
        increase(counts, `${causeKey(finding)} with a trigger`);
      }
      if (finding.parity?.verdict.kind === 'tested-wrong') {
        wrong.set(causeKey(finding), finding.parity);
      }
      if (finding.level === 'note') {
        observed.set(key, finding);
      }
    },
    occurrences: (finding) => counts.get(keyOf(finding)) ?? 0,
    hangs: () => hangs,
    isKnown: (finding) => found.has(keyOf(finding)) || found.has(causeKey(finding)),
    add,
    supersede(explained, entry) {
      const key = keyOf(entry.finding);
      const isNew = add(entry);
      for (const old of explained.map(keyOf).filter((one) => one !== key && !superseded.has(one))) {
        superseded.add(old);
        counts.set(key, (counts.get(key) ?? 0) + (counts.get(old) ?? 0));
      }
      return isNew;
    },
    findings() {
      // A plain request may have shown the cause after requests with a trigger did.
      const own = withoutExplained(
        [...found].filter(
          ([key, { finding }]) =>
            !superseded.has(key) && (finding.trigger === undefined || !found.has(causeKey(finding))),
        ),
      );
      const counted = own.map(([key, entry]) => {
        const covered = entry.finding.trigger === undefined ? (counts.get(`${key} with a trigger`) ?? 0) : 0;
        const count = Math.max(1, (counts.get(key) ?? 0) + covered);
        const parity = entry.finding.parity ?? wrong.get(causeKey(entry.finding));
        const finding = parity === undefined ? entry.finding : { ...entry.finding, parity };
        // `as`: an entry with its count is a finding of its type.
        return { ...entry, finding, count } as unknown as Found;
      });
      return counted.toSorted(byLevel);
    },
    notes: () => [...observed].map(([key, finding]) => ({ finding, count: counts.get(key) ?? 1 })),
  };
}

/** Checks that need a connection. */
export const connectionChecks: readonly CheckId[] = [
  'content-length',
  'chunked-content',
  'transfer-encoding',
  'bytes-after-answer',
  'bodiless-status',
];

/** The hash at the end of an id, and the hyphen before it. */
const hash = /-[0-9a-f]+$/u;

/**
 * Separates the baseline entries that are gone from those that the run could not have found, because it was partial,
 * did not test their operation in full, or had no connection.
 */
export function settleBaseline(input: {
  readonly baseline: Baseline | undefined;
  readonly findings: readonly RunFinding[];
  readonly whyPartial: string | undefined;
  readonly hasConnection: boolean;
  /** The ids of the operations that the run does not test in full. */
  readonly untested: readonly string[];
}): Pick<Conclusions, 'gone' | 'notChecked'> {
  const { baseline, findings, whyPartial, hasConnection, untested } = input;
  const seen = new Set(findings.map(({ id }) => id));
  const gone: BaselineEntry[] = [];
  const open = new Map<string, string[]>();
  const needsConnection = (id: string): boolean =>
    connectionChecks.some((check) => check === id.replace(hash, ''));
  for (const entry of baseline?.entries.filter(({ id }) => !seen.has(id)) ?? []) {
    const { id, operation } = entry;
    const isTested = untested.length === 0 || (operation !== undefined && !untested.includes(operation));
    const whyUntested = isTested ? undefined : 'the run did not test the operation in full';
    const why =
      whyPartial ??
      (!hasConnection && needsConnection(id)
        ? 'in process no answer travels over a connection'
        : whyUntested);
    if (why === undefined) gone.push(entry);
    else open.set(why, [...(open.get(why) ?? []), id]);
  }
  const notChecked = [...open].map(([why, ids]) => ({
    what: `Of the baseline ${ids.join(', ')}`,
    reason: `not looked for, as ${why}`,
  }));
  return { gone, notChecked };
}
