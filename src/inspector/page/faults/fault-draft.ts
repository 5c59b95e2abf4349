import type { Fault, FaultRule } from '../../../mock/faults/fault-rule.ts';

/** What can be chosen to go wrong. */
export type FaultKind = 'answer' | 'rate-limit' | 'delay' | 'drop' | 'truncate';

/** A rule as somebody fills it in; numbers are texts, and empty where nothing was given. */
export interface FaultDraft {
  readonly kind: FaultKind;
  readonly operation: string;
  readonly status: string;
  readonly retryAfter: string;
  readonly from: string;
  readonly to: string;
  readonly times: string;
  /** In percent. */
  readonly share: string;
}

function toFault({ kind, status, retryAfter, from, to }: FaultDraft): Fault {
  switch (kind) {
    case 'answer':
      return { answer: { status: Number(status) } };
    case 'rate-limit':
      return { answer: { status: 429, retryAfter: Number(retryAfter) } };
    case 'delay':
      return { delay: to === '' || to === from ? Number(from) : [Number(from), Number(to)] };
    case 'drop':
      return { connection: 'drop' };
    case 'truncate':
      return { connection: 'truncate' };
  }
}

/** The rule that was filled in. */
export function toRule(draft: FaultDraft): FaultRule {
  return {
    ...toFault(draft),
    ...(draft.operation === '' ? {} : { operation: draft.operation }),
    ...(draft.times === '' ? {} : { times: Number(draft.times) }),
    ...(draft.share === '' || draft.share === '100' ? {} : { share: Number(draft.share) / 100 }),
  };
}
