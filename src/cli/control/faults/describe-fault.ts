import { stringifyJson } from '../../../json/stringify-json.ts';
import type { ActiveFaultRule } from '../../../mock/faults/fault-rule.ts';

/** What a rule does, in the words that it is added with. */
function describeEffect({ delay, answer, connection }: ActiveFaultRule): string {
  return [
    ...(delay === undefined ? [] : [`delay=${typeof delay === 'number' ? delay : delay.join('..')}`]),
    ...(answer === undefined ? [] : [`status=${answer.status}`]),
    ...(answer?.example === undefined ? [] : [`example=${answer.example}`]),
    ...(answer?.retryAfter === undefined ? [] : [`retry-after=${answer.retryAfter}`]),
    ...(answer?.body === undefined ? [] : [`body=${stringifyJson(answer.body)}`]),
    ...(connection === undefined ? [] : [connection]),
  ].join(' ');
}

function describeSubject({ operation, method, path }: ActiveFaultRule): string {
  const named = [operation, method, path].filter((part) => part !== undefined);
  return named.length === 0 ? 'every request' : named.join(' ');
}

function count(number: number): string {
  return number === 1 ? '1 request' : `${number} requests`;
}

/** A rule as a line: `fault-1  createOrder: status=503, the next 3; 5 requests, 3 of them went wrong`. */
export function describeFault(rule: ActiveFaultRule): string {
  const { id, times, share, enabled, seen, applied } = rule;
  const which = [
    ...(times === undefined ? [] : [`the next ${times}`]),
    ...(share === undefined || share === 1 ? [] : [`a share of ${share}`]),
    ...(enabled ? [] : ['switched off']),
  ].map((words) => `, ${words}`);
  return `${id}  ${describeSubject(rule)}: ${describeEffect(rule)}${which.join('')}; ${count(seen)} so far, ${applied} went wrong`;
}
