import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { FaultRule } from './fault-rule.ts';
import { findFreeName } from './find-free-name.ts';

/** A rule with the name that it goes by, which it may have been given. */
export interface NamedRule {
  readonly id: string;
  readonly rule: FaultRule;
}

/** Whether two rules say the same. */
export function isSameRule(one: FaultRule, other: FaultRule): boolean {
  // `as`: a rule is plain data.
  return jsonEqual(one as unknown as JsonValue, other as unknown as JsonValue);
}

/**
 * Names rules: one that says the same as before keeps its name, another that has none gets the first that is free, of
 * fault-1, fault-2 … Of two that were given one name the later stays, in the place of the first.
 *
 * @param input.before - as they were named the last time
 * @param input.taken - names that are none of theirs
 */
export function nameRules(input: {
  readonly rules: readonly FaultRule[];
  readonly before: readonly NamedRule[];
  readonly taken: readonly string[];
}): readonly NamedRule[] {
  const { rules, taken } = input;
  const given = rules.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const used = new Set([...taken, ...given]);
  const left = input.before.filter(({ id }) => !used.has(id));
  const kept = rules.map((rule) => {
    const place = rule.id === undefined ? left.findIndex((each) => isSameRule(each.rule, rule)) : -1;
    return place === -1 ? rule.id : left.splice(place, 1)[0]?.id;
  });
  kept.forEach((id) => id !== undefined && used.add(id));
  const named = rules.map((rule, index): NamedRule => {
    const id = kept[index] ?? findFreeName(used);
    used.add(id);
    return { id, rule };
  });
  return [...new Map(named.map((each) => [each.id, each])).values()];
}
