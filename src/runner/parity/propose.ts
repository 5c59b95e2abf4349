import type { FoundCause, NotChecked, PolicyProposal } from '../../events/events.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { RunPlan } from '../plan.ts';
import { comparisonOf } from '../suite.ts';

/** Behaviours whose value is combined from members in several exchanges. */
const inMembers = new Set<BehaviourId>(['other-operations', 'error-codes', 'constraints']);

interface Seen {
  readonly question: BehaviourId;
  readonly operation: string;
  readonly answer: JsonValue;
  readonly count: number;
}

function read(found: Pick<FoundCause, 'finding' | 'count'>): readonly Seen[] {
  const { parity, operation } = found.finding;
  if (parity?.verdict.kind !== 'silent') return [];
  const { question, answer } = parity.verdict;
  return question === undefined || answer === undefined
    ? []
    : [{ question, operation, answer, count: found.count }];
}

/** Merges members recursively. */
function join(base: JsonValue, added: JsonValue): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(added)) return added;
  const joined = Object.entries(added).map(([name, value]): [string, JsonValue] => {
    const before = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, before === undefined ? value : join(before, value)];
  });
  return { ...base, ...Object.fromEntries(joined) };
}

function isContradicted(one: JsonValue, other: JsonValue): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return !jsonEqual(one, other);
  return Object.entries(one).some(
    ([name, value]) => value !== undefined && other[name] !== undefined && isContradicted(value, other[name]),
  );
}

/** Removes `replace` if `keep-first` was observed: an unchanged repetition returns the same item in both cases. */
function tellKeepFirst(occurrences: readonly Seen[]): readonly Seen[] {
  const isKept = occurrences.some(
    ({ question, answer }) => question === 'duplicate-key' && answer === 'keep-first',
  );
  return isKept ? occurrences.filter(({ answer }) => answer !== 'replace') : occurrences;
}

/** Returns the value for one operation or the whole service: the most frequent observation wins. */
function settle(
  occurrences: readonly Seen[],
  base: JsonValue,
): { readonly answer: JsonValue; readonly isUnsure: boolean } | undefined {
  const [first, ...others] = tellKeepFirst(occurrences).toSorted((left, right) => left.count - right.count);
  if (first === undefined) return undefined;
  const isUnsure = others.some((one) => isContradicted(first.answer, one.answer));
  const whole = inMembers.has(first.question) ? base : first.answer;
  return { answer: [first, ...others].reduce((sum, { answer }) => join(sum, answer), whole), isUnsure };
}

/** Derives policy values of the tested service from differences, to add to the policy of the reference service. */
export function proposePolicy(
  found: readonly Pick<FoundCause, 'finding' | 'count'>[],
  policy: Policy,
): PolicyProposal {
  const seen = found.flatMap(read);
  const answers: Partial<Record<BehaviourId, JsonValue>> = {};
  const operations: Record<string, Partial<Record<BehaviourId, JsonValue>>> = {};
  const unsure: BehaviourId[] = [];
  for (const { id } of Object.values(behaviours)) {
    const own = seen.filter(({ question }) => question === id);
    const names = [...new Set(own.map(({ operation }) => operation))];
    const settled = names.map((name) => {
      // `as`: values come from a policy file.
      const base = policyOf(policy, name)[id] as unknown as JsonValue;
      const said = settle(
        own.filter(({ operation }) => operation === name),
        base,
      );
      return { name, ...said };
    });
    const [first, ...others] = settled;
    if (first?.answer === undefined) continue;
    unsure.push(...(settled.some(({ isUnsure }) => isUnsure === true) ? [id] : []));
    const isOne = others.every(
      ({ answer }) => answer !== undefined && !isContradicted(answer, first.answer ?? null),
    );
    if (isOne) {
      answers[id] = first.answer;
      continue;
    }
    for (const { name, answer } of settled) {
      operations[name] = { ...operations[name], ...(answer === undefined ? {} : { [id]: answer }) };
    }
  }
  return { answers, operations, unsure };
}

/** Returns the properties of a run that cannot compare two services. */
export function whatIsNotCompared({ properties }: RunPlan): readonly NotChecked[] {
  return properties
    .filter(({ property }) => comparisonOf(property) === undefined)
    .map(({ suite, property }) => ({
      what: `${suite}/${property.id}`,
      reason:
        property.sendsTogether === true
          ? 'requests side by side arrive in an order that is chance'
          : 'how an answer is framed is no part of what it says',
    }));
}

/** Removes differences that another behaviour also explains, if the services are known to differ in it. */
export function withoutExplained<Found extends Pick<FoundCause, 'finding'>>(
  found: readonly Found[],
): readonly Found[] {
  const asked = new Set(
    found.flatMap(({ finding: { check, parity } }) => {
      if (check === 'echo') return ['echo' as const];
      return parity?.verdict.kind === 'silent' && parity.verdict.unless === undefined
        ? [parity.verdict.question]
        : [];
    }),
  );
  return found.filter(({ finding: { check, parity } }) => {
    const unless = parity?.verdict.kind === 'silent' ? parity.verdict.unless : undefined;
    return check !== 'parity' || unless === undefined || !asked.has(unless);
  });
}
