import type { FaultRule } from '../../../mock/faults/fault-rule.ts';

/** What often goes wrong with services, ready to be switched on. */
export const faultPresets: readonly { readonly label: string; readonly rule: FaultRule }[] = [
  { label: 'Every answer is 503', rule: { id: 'all-503', answer: { status: 503 } } },
  { label: 'Slow, 1 to 2 s', rule: { id: 'slow', delay: [1_000, 2_000] } },
  { label: 'One in five dropped', rule: { id: 'some-dropped', connection: 'drop', share: 0.2 } },
  {
    label: '429 for the next 3',
    rule: { id: 'rate-limited', answer: { status: 429, retryAfter: 2 }, times: 3 },
  },
  { label: 'Bodies cut short', rule: { id: 'truncated', connection: 'truncate' } },
];
