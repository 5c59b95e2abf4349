import { describeReceived, nameOperation } from './describe-subject.ts';
import { followStore } from './follow-store.ts';
import { isPlainAndTrusted } from './is-plain-and-trusted.ts';
import type { Judged } from './judged.ts';
import { sameRequest } from './same-request.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

/** Statuses that speak of the moment or of what others do, though a document may declare them. */
const passing = new Set([408, 409, 423, 425, 429]);

/** A status that is not declared is a finding of its own. */
function isRefused({ answer }: Judged): boolean {
  return (
    classifyStatus(answer) === 'refused' && answer.kind === 'response' && !passing.has(answer.response.status)
  );
}

/**
 * Finds a plain request that is refused and then, sent again byte for byte, is taken, though nothing was ever
 * created under its key (or, where the service makes the keys, by an equal request). Only this is concluded from:
 * what is refused each time may be known to the store since last week, and what was taken before may have to be
 * unique.
 *
 * @example a create that is answered 400 every second time
 */
export const checkEqualRequests: TraceCheck = (trace) => {
  const steps = followStore(trace);
  for (const [index, { judged: first, before, key }] of steps.entries()) {
    const isFree =
      key === undefined
        ? !trace.slice(0, index).some((other) => sameRequest(other, first) && !isRefused(other))
        : before === 'free' || before === 'named';
    const again =
      isFree && isPlainAndTrusted(first) && isRefused(first)
        ? trace
            .slice(index + 1)
            .find((other) => sameRequest(first, other) && classifyStatus(other.answer) === 'accepted')
        : undefined;
    if (again !== undefined) {
      return [
        {
          check: 'equal-requests',
          level: 'violation',
          operation: nameOperation(first),
          clause: {
            kind: 'document',
            pointer: first.operation?.requestBody?.pointer ?? '',
            quote: 'its schema accepts the body, the first time too',
          },
          expected: 'equal requests get the same kind of answer',
          received: `${describeReceived(first.answer)}, then ${describeReceived(again.answer)} for the same request`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(again) + 1),
        },
      ];
    }
  }
  return [];
};
