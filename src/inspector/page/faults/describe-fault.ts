import type { FaultRule } from '../../../mock/faults/fault-rule.ts';

function describeFor({ method, path, operation }: FaultRule): string {
  const place = [method?.toUpperCase(), path].filter((part) => part !== undefined).join(' ');
  const parts = [operation, place === '' ? undefined : place].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Every request' : parts.join(', ');
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString('en')} s`;
}

function describeWhat({ delay, answer, connection }: FaultRule): readonly string[] {
  const from = typeof delay === 'number' ? delay : delay?.[0];
  const to = typeof delay === 'number' ? delay : delay?.[1];
  return [
    from !== undefined && to !== undefined
      ? from === to
        ? `waits ${seconds(from)}`
        : `waits ${seconds(from)} to ${seconds(to)}`
      : undefined,
    answer === undefined
      ? undefined
      : `gets ${answer.status}${answer.retryAfter === undefined ? '' : `, Retry-After ${answer.retryAfter}`}`,
    connection === 'drop' ? 'loses its connection' : undefined,
    connection === 'truncate' ? 'gets half a body' : undefined,
  ].filter((part) => part !== undefined);
}

/** A rule in a few words: `Every request gets 503, 20 % of the time, the next 3`. */
export function describeFault(rule: FaultRule): string {
  const { share = 1, times } = rule;
  return [
    `${describeFor(rule)} ${describeWhat(rule).join(', ')}`,
    share === 1 ? undefined : `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} % of them`,
    times === undefined ? undefined : `the next ${times}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}
