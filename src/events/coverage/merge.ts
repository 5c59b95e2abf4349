import type { KeywordCoverage, OperationCoverage } from '../events.ts';
import { explainOperation, onlyInvalid, unsentInShard } from './explain.ts';

/** Groups values by a key, in the order of their first occurrence. */
function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): readonly (readonly [Value, ...Value[]])[] {
  const groups = new Map<string, [Value, ...Value[]]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return [...groups.values()];
}

const sumOf = <Value>(values: readonly Value[], countOf: (value: Value) => number): number =>
  values.reduce((sum, value) => sum + countOf(value), 0);

/** Merges what parts of one run exercised of the contract, as if one run had exercised it all. */
export function mergeCoverage(
  parts: readonly (readonly OperationCoverage[])[],
): readonly OperationCoverage[] {
  return groupBy(parts.flat(), ({ operation }) => operation).map(mergeOperation);
}

function mergeOperation(all: readonly [OperationCoverage, ...OperationCoverage[]]): OperationCoverage {
  const { file, pointer, operation } = all[0];
  const statuses = [...new Set(all.flatMap((one) => one.statuses ?? []))].toSorted(
    (one, other) => one - other,
  );
  const evidence = all.flatMap(({ isFound }) => isFound ?? []);
  const isUntested = all.every((one) => one.isUntested === true);
  const merged = {
    ...(file === undefined ? {} : { file }),
    pointer,
    operation,
    requests: sumOf(all, ({ requests }) => requests),
    accepted: sumOf(all, ({ accepted }) => accepted),
    bodies: groupBy(
      all.flatMap(({ bodies }) => bodies),
      ({ mediaType, kind }) => `${mediaType} ${kind}`,
    ).map((same) => ({ ...same[0], sent: sumOf(same, ({ sent }) => sent) })),
    responses: groupBy(
      all.flatMap(({ responses }) => responses),
      ({ status }) => status,
    ).map((same) => {
      const { reason, ...response } = same[0];
      const seen = sumOf(same, (one) => one.seen);
      return { ...response, seen, ...(seen > 0 || reason === undefined ? {} : { reason }) };
    }),
    undeclared: groupBy(
      all.flatMap(({ undeclared }) => undeclared),
      ({ status }) => String(status),
    )
      .map((same) => ({ status: same[0].status, seen: sumOf(same, ({ seen }) => seen) }))
      .toSorted((one, other) => one.status - other.status),
    keywords: groupBy(
      all.flatMap(({ keywords }) => keywords),
      ({ file, pointer, of }) => `${of} ${file ?? ''}#${pointer}`,
    ).map(mergeKeyword),
    statuses,
    ...(evidence.length === 0 ? {} : { isFound: evidence.includes(true) }),
    ...(isUntested ? { isUntested } : {}),
  };
  const reason = explainMerged(all, merged);
  return { ...merged, ...(reason === undefined ? {} : { reason }) };
}

function mergeKeyword(same: readonly [KeywordCoverage, ...KeywordCoverage[]]): KeywordCoverage {
  const { reason: _reason, ...keyword } = same[0];
  const met = sumOf(same, (one) => one.met);
  const broken = sumOf(same, (one) => one.broken);
  // A part that never met it explains that, and not why it was never broken.
  const { reason } = same.find((one) => one.met > 0) ?? same[0];
  const isExplained = reason !== undefined && (met === 0 || broken === 0);
  return { ...keyword, met, broken, ...(isExplained ? { reason } : {}) };
}

/** Explains why an operation was not exercised as a whole. What a part says of itself holds if no other part knows more. */
function explainMerged(
  all: readonly OperationCoverage[],
  { requests, accepted, statuses = [], isFound, isUntested }: OperationCoverage,
): string | undefined {
  if (isUntested === true) {
    const tried = all.filter((one) => one.requests > 0 && one.isFound === isFound);
    const known =
      tried.find(({ reason }) => reason !== onlyInvalid) ??
      tried[0] ??
      all.find(({ reason }) => reason !== unsentInShard);
    if (known !== undefined) return known.reason;
  }
  const isNeverFound = isFound === false;
  const seen = { requests, accepted, isNeverFound, statuses: new Set(statuses) };
  return explainOperation(seen, undefined);
}
