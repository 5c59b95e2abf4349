import { mergeCoverage } from '../events/coverage/merge.ts';
import { neverFound, whatWasNotFound } from '../events/coverage/explain.ts';
import type {
  Baseline,
  ItemTally,
  NotChecked,
  OperationCoverage,
  ParityResult,
  RunFinding,
  RunResult,
} from '../events/events.ts';
import { lookUp } from '../events/events.ts';
import { OperationLatencies } from '../events/latency.ts';
import { createFindingLedger, settleBaseline } from '../events/ledger.ts';
import { createPolicy } from '../policy/policy.ts';
import { proposePolicy, withoutExplained } from './parity/propose.ts';
import { whyPartial } from './plan.ts';
import { leftBehind } from './take-away.ts';

/** Context of merged shards besides their results. */
interface MergeContext {
  /** The known findings; if undefined, those stay known that a shard knew. */
  readonly baseline: Baseline | undefined;
  /** Whether the service was reached over a connection. */
  readonly hasConnection: boolean;
  /** Whether each shard came to its end. */
  readonly isWhole: boolean;
  /** The ids of the operations that the run does not test in full. */
  readonly untested: readonly string[];
}

/**
 * Merges the results of all shards of a run. Findings, verdict and coverage equal those of the whole run. Several
 * shards send the requests that every run needs, so counts of requests may be higher.
 */
export function mergeRuns(
  shards: readonly [RunResult, ...RunResult[]],
  { baseline, hasConnection, isWhole, untested }: MergeContext,
): RunResult {
  const properties = shards.flatMap((shard) => shard.properties);
  const interrupted = shards.some((shard) => shard.interrupted);
  const coverage = mergeCoverage(shards.map((shard) => shard.coverage));
  const findings = mergeFindings(shards, baseline);
  const sumOf = (name: 'planned' | 'requests' | 'waits'): number =>
    shards.reduce((sum, shard) => sum + shard[name], 0);
  const settled = settleBaseline({
    baseline,
    findings,
    whyPartial: whyPartial(
      { path: undefined, baseline, signal: interrupted ? AbortSignal.abort() : undefined },
      { isStopped: !isWhole || properties.some(({ verdict }) => verdict === 'cut-off'), properties },
    ),
    hasConnection,
    untested,
  });
  return {
    ...mergeItems(shards),
    ...mergeLatencies(shards),
    seed: shards[0].seed,
    keys: [Math.min(...shards.map(({ keys }) => keys[0])), Math.max(...shards.map(({ keys }) => keys[1]))],
    findings,
    notes: mergeNotes(shards),
    properties,
    planned: sumOf('planned'),
    notChecked: [...mergeNotChecked(shards, coverage), ...settled.notChecked],
    requests: sumOf('requests'),
    durationMs: Math.max(...shards.map(({ durationMs }) => durationMs)),
    waits: sumOf('waits'),
    interrupted,
    brokenOff: shards.flatMap(({ brokenOff }) => brokenOff),
    coverage,
    gone: settled.gone,
    ...mergeParity(shards, findings),
  };
}

/** Adds up the items of shards; nothing if they ran in process. */
function mergeItems(shards: readonly RunResult[]): Pick<RunResult, 'items'> {
  const all = shards.flatMap(({ items }) => items ?? []);
  if (all.length === 0) return {};
  const sumOf = (name: keyof ItemTally): number => all.reduce((sum, items) => sum + items[name], 0);
  const left = all.flatMap((items) => items.left);
  return {
    items: { created: sumOf('created'), perhaps: sumOf('perhaps'), deleted: sumOf('deleted'), left },
  };
}

/** Merges the response times of shards; nothing if a shard has none. */
function mergeLatencies(shards: readonly RunResult[]): Pick<RunResult, 'latency'> {
  const all = shards.flatMap(({ latency }) => latency ?? []);
  if (all.length < shards.length) return {};
  const latencies = new OperationLatencies();
  for (const latency of all) latencies.merge(latency);
  return { latency: latencies.conclude(all[0]?.limitMs) };
}

/** Merges findings as the ledger of one run does: one for each cause. */
function mergeFindings(shards: readonly RunResult[], baseline: Baseline | undefined): readonly RunFinding[] {
  const ledger = createFindingLedger();
  const isOfAll = ({ id }: RunFinding): boolean =>
    shards.every(({ findings }) => findings.some((found) => found.id === id));
  const all = shards.flatMap(({ findings }) => findings);
  // Several shards may find a cause, and one of them made its case smaller.
  const smallest = new Map<string, RunFinding>();
  for (const found of all) {
    const other = smallest.get(found.id);
    if (other === undefined || found.requests.length < other.requests.length) smallest.set(found.id, found);
  }
  for (const found of all) {
    // A shard may send no other create, so one that accepts none is evidence only if no shard accepts any.
    if (found.finding.check === 'never-succeeds' && !isOfAll(found)) continue;
    ledger.add(smallest.get(found.id) ?? found);
    for (let counted = 0; counted < found.count; counted += 1) ledger.count(found.finding);
  }
  return withoutExplained(ledger.findings()).map(({ known, expired, ...found }) => ({
    ...found,
    ...(baseline === undefined
      ? { ...(known && { known }), ...(expired && { expired }) }
      : lookUp(baseline, found.id)),
  }));
}

function mergeNotes(shards: readonly RunResult[]): RunResult['notes'] {
  const merged = new Map<string, RunResult['notes'][number]>();
  for (const { finding, count } of shards.flatMap(({ notes }) => notes)) {
    const { check, operation, clause, received } = finding;
    const key = JSON.stringify([check, operation, clause.kind === 'policy' ? clause.question : '', received]);
    merged.set(key, { finding, count: count + (merged.get(key)?.count ?? 0) });
  }
  return [...merged.values()];
}

function mergeNotChecked(
  shards: readonly RunResult[],
  coverage: readonly OperationCoverage[],
): readonly NotChecked[] {
  const tried = new Set(shards.flatMap(({ properties }) => properties.map(({ suite }) => suite)));
  const all = shards
    .flatMap(({ notChecked }) => notChecked)
    .filter(({ emptySuite, reason }) => reason !== neverFound && !tried.has(emptySuite ?? ''));
  // All shards report what concerns the whole run.
  const others = [...all.filter((entry) => entry.isLeftBehind !== true), ...whatWasNotFound(coverage)];
  return [
    ...new Map(others.map((entry) => [`${entry.what}\0${entry.reason}`, entry])).values(),
    ...mergeLeftBehind(all.filter((entry) => entry.isLeftBehind)),
  ];
}

/** Adds the counts of the items that shards left behind in one collection. */
function mergeLeftBehind(entries: readonly NotChecked[]): readonly NotChecked[] {
  const counts = new Map<string, number>();
  const others = new Map<string, NotChecked>();
  for (const entry of entries) {
    const [, count, place] = /^up to (\d+) items? in (.+)$/su.exec(entry.reason) ?? [];
    if (place === undefined) others.set(entry.reason, entry);
    else counts.set(place, (counts.get(place) ?? 0) + Number(count));
  }
  return [...others.values(), ...[...counts].map(([place, count]) => leftBehind(place, count))];
}

function mergeParity(
  shards: readonly RunResult[],
  findings: readonly RunFinding[],
): Pick<RunResult, 'parity'> {
  const parts = shards.flatMap(({ parity }) => parity ?? []);
  const [first] = parts;
  if (first === undefined) return {};
  const sumOf = (name: 'compared' | 'differing' | 'unanswered'): number =>
    parts.reduce((sum, part) => sum + part[name], 0);
  // A proposal completes the policy of the reference service, so it is the base of the others.
  const answers = parts.reduce((all, { proposal }) => ({ ...all, ...proposal.answers }), {});
  const parity: ParityResult = {
    name: first.name,
    names: first.names,
    compared: sumOf('compared'),
    differing: sumOf('differing'),
    unanswered: sumOf('unanswered'),
    notCompared: parts.flatMap(({ notCompared }) => notCompared),
    proposal: proposePolicy(findings, createPolicy(answers)),
  };
  return { parity };
}
