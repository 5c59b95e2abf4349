import type { Operation } from '../contract/contract.ts';
import { jsonEqual, type JsonValue } from '../json/value.ts';
import type { Behaviour, BehaviourId } from '../policy/behaviour.ts';
import { documentValueOf, listQuestions } from '../policy/document-answers.ts';
import { describeValue, type Policy } from '../policy/policy.ts';
import type { Contracts, Found } from './change.ts';

/**
 * Adds the behaviours that the new document specifies, the old one did not specify in this way, and the policy knows
 * otherwise: clients rely on what they observed, and the service does not conform to the new document.
 *
 * @throws DocumentError POLICY_INVALID if `x-cloche-policy` names an unknown behaviour or value
 */
export function comparePolicy(input: {
  readonly contracts: Contracts;
  readonly pairs: readonly (readonly [old: Operation, now: Operation])[];
  readonly learned: Partial<Policy>;
  readonly add: (found: Found) => void;
  readonly nameOf: (operation: Operation) => string;
}): void {
  const { contracts, pairs, learned, add, nameOf } = input;
  if (Object.keys(learned).length === 0) return;
  for (const { id, scope, question } of listQuestions(contracts.new)) {
    for (const [old, now] of scope === 'service' ? pairs.slice(0, 1) : pairs) {
      const own = scope === 'service' ? undefined : learned.operations?.[old.id]?.[id];
      const observed = own ?? learned[id];
      const value = documentValueOf({ id, operation: now, contract: contracts.new });
      if (observed === undefined || value.kind !== 'answered' || value.answer === undefined) continue;
      const before = documentValueOf({ id, operation: old, contract: contracts.old });
      const wasSaid =
        before.kind === 'answered' && before.answer !== undefined && jsonEqual(before.answer, value.answer);
      // `as`: values are JSON, as their schemas specify, only read-only.
      if (wasSaid || jsonEqual(observed as JsonValue, value.answer)) continue;
      add({
        kind: `behaviour-${id}`,
        breaks: ['clients', 'services'],
        message: `${question} ${describe(id, value.answer)} now; the service was observed with: ${describe(id, observed)} (${id})`,
        operation: scope === 'service' ? undefined : nameOf(now),
        document: 'new',
        pointer: value.pointer,
      });
    }
  }
}

function describe(id: BehaviourId, value: unknown): string {
  // `as`: the value is one of the behaviour, from its policy or its document.
  return describeValue(id, value as Behaviour<typeof id>['default']);
}
