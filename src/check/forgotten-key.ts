import { describeReceived, nameOperation } from './describe-subject.ts';
import { followStore } from './follow-store.ts';
import { isPlainAndTrusted } from './is-plain-and-trusted.ts';
import { isTurnedAway } from './is-turned-away.ts';
import { sameRequest } from './same-request.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

/**
 * Advises on a key that is refused as existing and later, in the very same request, is taken: what was created
 * under it was forgotten, though nothing removed it. The document says nothing of repeated keys, so it is advice.
 *
 * @example a store that keeps the last 20 resources
 */
export const checkForgottenKey: TraceCheck = (trace) => {
  for (const [index, { judged: refused, before }] of followStore(trace).entries()) {
    const isRepeat = before === 'taken' && isPlainAndTrusted(refused) && isTurnedAway(refused);
    const taken = isRepeat
      ? trace
          .slice(index + 1)
          .find((other) => sameRequest(refused, other) && classifyStatus(other.answer) === 'accepted')
      : undefined;
    if (taken !== undefined) {
      return [
        {
          check: 'forgotten-key',
          level: 'advice',
          operation: nameOperation(refused),
          clause: {
            kind: 'policy',
            question: 'duplicate-key',
            quote: 'A key that exists already is answered in one way',
          },
          expected: 'a key that was refused as existing is refused as long as nothing removes what is there',
          received: `${describeReceived(refused.answer)} for a repeated key, later ${describeReceived(taken.answer)}`,
          cause: 'refused and then taken',
          shownBy: trace.slice(0, trace.indexOf(taken) + 1),
        },
      ];
    }
  }
  return [];
};
