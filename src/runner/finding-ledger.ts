import type { Finding } from '../check/finding.ts';
import type { NotChecked, RunFinding } from './run-event.ts';

/** Keeps what a run found: one entry for each cause, counted, the smallest example kept. */
export interface FindingLedger {
  /** Counts a sighting, whatever its level. */
  count(finding: Finding): void;
  isKnown(finding: Finding): boolean;
  /** @returns whether the cause is new */
  add(found: Omit<RunFinding, 'count'>): boolean;
  findings(): readonly RunFinding[];
  observations(): readonly { readonly finding: Finding; readonly count: number }[];
  readonly notChecked: NotChecked[];
}

function keyOf({ check, operation, cause, level }: Finding): string {
  return JSON.stringify([check, operation, cause, level === 'observation']);
}

/** The order in which a reader wants findings: violations first, then as they were found. */
function byLevel(left: RunFinding, right: RunFinding): number {
  const rank = { violation: 0, advice: 1, observation: 2 } as const;
  return rank[left.finding.level] - rank[right.finding.level];
}

/** Creates an empty ledger. */
export function createFindingLedger(): FindingLedger {
  const counts = new Map<string, number>();
  const found = new Map<string, Omit<RunFinding, 'count'>>();
  const observed = new Map<string, Finding>();
  return {
    notChecked: [],
    count(finding) {
      const key = keyOf(finding);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (finding.level === 'observation') {
        observed.set(key, finding);
      }
    },
    isKnown: (finding) => found.has(keyOf(finding)),
    add(entry) {
      const key = keyOf(entry.finding);
      if (found.has(key)) {
        return false;
      }
      found.set(key, entry);
      return true;
    },
    findings: () =>
      [...found].map(([key, entry]) => ({ ...entry, count: counts.get(key) ?? 1 })).toSorted(byLevel),
    observations: () => [...observed].map(([key, finding]) => ({ finding, count: counts.get(key) ?? 1 })),
  };
}
