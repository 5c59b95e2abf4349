import type { CheckId } from '../check/check-id.ts';
import type { Baseline } from './baseline.ts';
import type { BaselineEntry } from './baseline-entry.ts';
import type { NotChecked, RunFinding } from './run-event.ts';

/** What only a connection shows. */
const ofConnections = new Set<CheckId>([
  'content-length',
  'chunked-content',
  'transfer-encoding',
  'bytes-after-answer',
  'bodiless-status',
]);

/** The hash at the end of an id, and the hyphen before it. */
const hash = /-[0-9a-f]+$/u;

function isOfConnections({ id }: BaselineEntry): boolean {
  const check = id.replace(hash, '');
  return [...ofConnections].some((one) => one === check);
}

/** What became of the entries of a baseline that a run did not see. */
export interface SettledBaseline {
  /** They were looked for, and are gone. */
  readonly gone: readonly BaselineEntry[];
  /** What is to be said of those that were not looked for. */
  readonly notChecked: readonly NotChecked[];
}

/**
 * Tells the entries of a baseline that are gone from those that the run could not have seen.
 *
 * @param input.whyPartial - why the run did not look at everything, where that is so
 * @param input.hasConnection - whether answers were looked at as they travel
 */
export function settleBaseline(input: {
  readonly baseline: Baseline | undefined;
  readonly findings: readonly RunFinding[];
  readonly whyPartial: string | undefined;
  readonly hasConnection: boolean;
}): SettledBaseline {
  const { baseline, findings, whyPartial, hasConnection } = input;
  const seen = new Set(findings.map(({ id }) => id));
  const unseen = (baseline?.entries ?? []).filter(({ id }) => !seen.has(id));
  const hidden = hasConnection ? [] : unseen.filter(isOfConnections);
  const open = whyPartial === undefined ? hidden : unseen;
  const reason = whyPartial ?? 'in process no answer travels over a connection';
  const ids = open.map(({ id }) => id).join(', ');
  return {
    gone: unseen.filter((entry) => !open.includes(entry)),
    notChecked:
      open.length === 0 ? [] : [{ what: `Of the baseline ${ids}`, reason: `not looked for, as ${reason}` }],
  };
}
