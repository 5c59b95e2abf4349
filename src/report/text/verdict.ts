import type { Conclusions, FoundCause, ItemTally, RunItems, TrafficResult } from '../../events/events.ts';
import { groupFaults, type Share, summarizeCoverage } from '../collect.ts';
import { failsRun, type ReportOptions } from '../report.ts';
import { plural } from '../format.ts';
import { describeUntested } from './operations.ts';

/** The rules by which a run, or checked traffic, passes or fails. */
export type VerdictRules = Partial<Pick<ReportOptions, 'strict' | 'minCoverage'>>;

/** The result of a run, or of checked traffic, as a whole. */
export interface RunVerdict {
  readonly passes: boolean;
  /** New faults by level; a fault may have several findings. */
  readonly violations: number;
  readonly warnings: number;
  /** The new findings of all faults. */
  readonly findings: number;
  /** Findings that the baseline accepts. */
  readonly known: number;
  /** The declared operations that returned a success. */
  readonly succeeded: Share;
  /** Whether there are fewer than the rules require. */
  readonly lacksCoverage: boolean;
}

type Judged = Pick<Conclusions, 'coverage' | 'interrupted' | 'baselineUpdate' | 'notChecked'> & {
  readonly items?: RunItems;
  readonly findings: readonly FoundCause[];
};

/** Passes or fails a run, or checked traffic. An incomplete run fails. */
export function judgeRun(result: Judged, isWhole: boolean, rules: VerdictRules): RunVerdict {
  const { findings, coverage, interrupted } = result;
  const fresh = findings.filter(({ known }) => known === undefined);
  const faults = groupFaults(fresh);
  const count = (level: string): number =>
    faults.filter(({ first: { finding } }) => finding.level === level).length;
  const { succeeded } = summarizeCoverage(coverage);
  const { done, of } = succeeded;
  const isShort = of > 0 && (done / of) * 100 < (rules.minCoverage ?? 0);
  return {
    passes: isWhole && !interrupted && !isShort && !findings.some((found) => failsRun(found, rules)),
    violations: count('violation'),
    warnings: count('warning'),
    findings: fresh.length,
    known: findings.length - fresh.length,
    succeeded,
    lacksCoverage: isShort,
  };
}

/** A verdict in words. */
export interface VerdictWords {
  /** `PASS`, `FAIL`, or `PASS, but only 3 of 20 operations were ever answered with a success`. */
  readonly lead: string;
  readonly tone: 'good' | 'warning' | 'violation';
  /** The findings: `2 violations and 1 warning (5 findings)`. */
  readonly found: string;
  /** Clauses about a lack of coverage; empty if enough was exercised. */
  readonly lacks: readonly string[];
  /** All additional clauses of the sentence, those about coverage included. */
  readonly besides: readonly string[];
}

/** Describes how many items a run created and deleted: `created 12 items, deleted 10`; undefined if it created none. */
export function describeItems({ created, perhaps, deleted }: ItemTally): string | undefined {
  if (created + perhaps === 0) return undefined;
  const most = perhaps === 0 ? '' : ` (perhaps ${(created + perhaps).toLocaleString('en-US')})`;
  return `created ${plural(created, 'item')}${most}, deleted ${deleted.toLocaleString('en-US')}`;
}

/** Describes the result of a run. @param isThinNews - whether to mention that few operations were exercised */
export function describeRunVerdict(
  { interrupted, ...result }: Judged,
  {
    isWhole,
    isThinNews,
    ...rules
  }: VerdictRules & { readonly isWhole: boolean; readonly isThinNews: boolean },
): VerdictWords {
  const verdict = judgeRun({ interrupted, ...result }, isWhole, rules);
  const { passes, violations, warnings, findings, known, succeeded } = verdict;
  const ways = violations + warnings < findings ? ` (${findings} findings)` : '';
  const { done, of } = succeeded;
  const ofAll = `${done === 0 ? 'no operation was' : `only ${done} of ${plural(of, 'operation')} were`} ever answered with a success`;
  // If more than half of the operations were never seen to work, that is more than a gap.
  const isThin = isThinNews && done * 2 < of;
  const counts = [
    ...(violations > 0 ? [plural(violations, 'violation')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  const leftOut = result.notChecked.reduce((sum, { excluded = 0 }) => sum + excluded, 0);
  const isUpdated = passes && result.baselineUpdate !== undefined;
  const nothing = isUpdated && known > 0 ? [] : [known > 0 ? 'nothing new found' : 'nothing found'];
  const found = [
    ...(counts.length > 0 ? [counts.join(' and ') + ways] : nothing),
    ...(known > 0 ? [`${known} known`] : []),
  ].join(', ');
  const cutOff = `${interrupted ? 'interrupted' : 'broken off'}, ${found} so far`;
  let lead = isThin ? `PASS, but ${ofAll}` : 'PASS';
  if (isUpdated) lead = 'PASS, baseline updated';
  const tone = isThin ? 'warning' : 'good';
  const lacks = [
    ...(verdict.lacksCoverage
      ? [
          `${done} of ${plural(of, 'operation')} (${Math.floor((done / of) * 100)}%) answered with a success, where --min-coverage demands ${rules.minCoverage ?? 0}%`,
        ]
      : []),
    ...(!verdict.lacksCoverage && isThin && (!passes || isUpdated) ? [ofAll] : []),
    ...(isThinNews ? [describeUntested(result.coverage) ?? []].flat() : []),
  ];
  return {
    lead: passes ? lead : 'FAIL',
    tone: passes ? tone : 'violation',
    found: interrupted || !isWhole ? cutOff : found,
    lacks,
    besides: [
      ...lacks,
      ...(leftOut > 0 ? [`${plural(leftOut, 'operation')} left out`] : []),
      ...(result.items === undefined ? [] : [describeItems(result.items) ?? []].flat()),
    ],
  };
}

/** Describes how many exchanges of traffic were judged: `312 exchanges judged, 5 not`. */
export function describeTraffic({ judged, unjudged }: Pick<TrafficResult, 'judged' | 'unjudged'>): string {
  const others = unjudged.reduce((sum, { count }) => sum + count, 0);
  return `${plural(judged, 'exchange')} judged, ${others.toLocaleString('en-US')} not`;
}
