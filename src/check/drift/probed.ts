import type { Operation } from '../../contract/contract.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import type { BehaviourId, ProbeResult } from '../../policy/behaviour.ts';
import { describeValue } from '../../policy/policy.ts';
import { isAccepted, statusOf } from '../classify/answer.ts';
import { contextOf, type CheckedExchange, type TraceCheck } from '../classify/subject.ts';
import { describeReceived } from '../describe.ts';
import { quoteBehaviour } from '../finding.ts';
import { isEnforced } from './resources.ts';

/** The value of a behaviour that a probe found with the exchanges of a trace. */
export interface ProbedValue {
  readonly id: BehaviourId;
  readonly operation: Operation;
  readonly result: ProbeResult<JsonValue>;
}

const probed = new WeakMap<readonly CheckedExchange[], ProbedValue>();

/** Records the value that a probe found with the exchanges of a trace. */
export function noteProbed(trace: readonly CheckedExchange[], value: ProbedValue): void {
  probed.set(trace, value);
}

/** Returns the value that a probe found with the exchanges of a trace. */
export function probedIn(trace: readonly CheckedExchange[]): ProbedValue | undefined {
  return probed.get(trace);
}

/** Returns the values with which a service would respond as it did; none if the probe found none. */
export function probedValues({ result }: ProbedValue): readonly JsonValue[] {
  return result.kind === 'answer' ? [result.answer, ...(result.alike ?? [])] : [];
}

/** Describes a value of a behaviour, as it is in a policy file. */
export function describeProbed(id: BehaviourId, value: JsonValue): string {
  // `as`: it is a value of this behaviour.
  return describeValue(id, value as never);
}

/** Returns the last exchange of a trace that belongs to the probed operation. */
export function probedExchange(
  trace: readonly CheckedExchange[],
  { operation }: ProbedValue,
): CheckedExchange | undefined {
  return trace.findLast((judged) => judged.operation === operation) ?? trace.at(-1);
}

/** Checks the value that a probe found against the policy. */
export const checkProbed: TraceCheck = (trace, runContext) => {
  const found = probedIn(trace);
  const of = found && probedExchange(trace, found);
  const [value] = found ? probedValues(found) : [];
  if (found === undefined || of === undefined || value === undefined) return [];
  const { id, operation, result } = found;
  const context = contextOf(runContext, operation);
  // `as`: values are JSON.
  const expected = context.policy[id] as unknown as JsonValue;
  const isMet = expected === 'any' || probedValues(found).some((each) => jsonEqual(each, expected));
  // The exchange itself may show the cause.
  const isFound = of.findings.some(
    ({ check, level }) => check === 'drift' || (level === 'violation' && isAccepted(of.answer)),
  );
  if (isMet || isFound || !context.enforced.has(id) || !isEnforced(id, operation, context)) return [];
  return [
    {
      check: 'drift',
      level: 'violation',
      operation: operation.id,
      clause: quoteBehaviour(id),
      expected: describeProbed(id, expected),
      received:
        (result.kind === 'answer' ? result.seen : undefined) ??
        `${describeProbed(id, value)} (${describeReceived(of.answer)})`,
      cause: `${id} ${statusOf(of)}`,
    },
  ];
};
