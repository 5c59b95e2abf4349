import type { CheckId, Finding } from '../check/finding.ts';
import type { Baseline, Conclusions, FoundCause, NotChecked, RunFinding } from './events.ts';

/** Keeps what a run, or passing traffic, was found to show: one entry for each cause, counted. */
export interface FindingLedger<Found extends FoundCause = RunFinding> {
  /** Counts a sighting, whatever its level. */
  count(finding: Finding): void;
  /** How often the cause was counted. */
  occurrences(finding: Finding): number;
  /** How many hangs were counted, whatever their causes. */
  hangs(): number;
  isKnown(finding: Finding): boolean;
  /** @returns whether the cause is new */
  add(found: Omit<Found, 'count'>): boolean;
  /** Puts a finding in the place of others, which stay known and count for it; true where its cause is new. */
  supersede(explained: readonly Finding[], found: Omit<Found, 'count'>): boolean;
  findings(): readonly Found[];
  notes(): readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: NotChecked[];
}

/** The key of a cause, whatever of the request brings it about. */
function causeKey({ check, operation, cause, level }: Finding): string {
  // Made for each finding of each exchange; no part of it holds NUL.
  return `${check}\0${operation}\0${cause}\0${level === 'note'}`;
}

function keyOf(finding: Finding): string {
  const { trigger } = finding;
  return trigger === undefined ? causeKey(finding) : `${causeKey(finding)} ${trigger}`;
}

/** The order in which a reader wants findings: violations first, then as they were found. */
function byLevel(left: FoundCause, right: FoundCause): number {
  const rank = { violation: 0, warning: 1, note: 2 } as const;
  return rank[left.finding.level] - rank[right.finding.level];
}

/** By the key of its cause. */
type Keyed<Entry extends Pick<FoundCause, 'finding'>> = readonly [key: string, entry: Entry];

/**
 * Leaves out what something else in its request is known to bring about, whichever was found first, so that what a
 * run tells does not depend on the order in which its properties end.
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
  /** By cause: that another service does not share it, which what was not compared does not show. */
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
      // What a plain request shows may have come to light after what other requests showed of it.
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
        // `as`: an entry with its count is what a finding of its kind is.
        return { ...entry, finding, count } as unknown as Found;
      });
      return counted.toSorted(byLevel);
    },
    notes: () => [...observed].map(([key, finding]) => ({ finding, count: counts.get(key) ?? 1 })),
  };
}

/** What only a connection shows. */
const ofConnections: ReadonlySet<string> = new Set<CheckId>([
  'content-length',
  'chunked-content',
  'transfer-encoding',
  'bytes-after-answer',
  'bodiless-status',
]);

/** The hash at the end of an id, and the hyphen before it. */
const hash = /-[0-9a-f]+$/u;

/**
 * Tells the entries of a baseline that are gone from those that the run, if partial or without a connection, could
 * not have seen.
 */
export function settleBaseline(input: {
  readonly baseline: Baseline | undefined;
  readonly findings: readonly RunFinding[];
  readonly whyPartial: string | undefined;
  readonly hasConnection: boolean;
}): Pick<Conclusions, 'gone' | 'notChecked'> {
  const { baseline, findings, whyPartial, hasConnection } = input;
  const seen = new Set(findings.map(({ id }) => id));
  const unseen = (baseline?.entries ?? []).filter(({ id }) => !seen.has(id));
  const hidden = hasConnection ? [] : unseen.filter(({ id }) => ofConnections.has(id.replace(hash, '')));
  const open = whyPartial === undefined ? hidden : unseen;
  const reason = whyPartial ?? 'in process no answer travels over a connection';
  const ids = open.map(({ id }) => id).join(', ');
  return {
    gone: unseen.filter((entry) => !open.includes(entry)),
    notChecked:
      open.length === 0 ? [] : [{ what: `Of the baseline ${ids}`, reason: `not looked for, as ${reason}` }],
  };
}
