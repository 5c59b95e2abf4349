import { describeReceived, describeRequest, nameOperation } from './describe-subject.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

function wasTurnedAway({ answer }: Judged): boolean {
  return answer.kind === 'response' && answer.response.status >= 300 && answer.response.status < 500;
}

function isPlainAndTrusted({ request }: Judged): boolean {
  const isTrusted = request.credentials === 'good' || request.credentials === 'not-required';
  return isTrusted && request.body.kind === 'valid' && request.body.grade.kind === 'plain';
}

/**
 * Finds a refused or unauthenticated request that left something behind: its key, sent in a plain valid
 * body afterwards, is refused, and the same body with another key is taken. The trace is these three.
 *
 * @example an id of a request answered 401 that is "taken" when it comes again with a good token
 */
export const checkRefusedLeavesTrace: TraceCheck = (trace): readonly Finding[] => {
  const [first, again, other] = trace;
  if (first === undefined || again === undefined || other === undefined) {
    return [];
  }
  if (
    !wasTurnedAway(first) ||
    isPlainAndTrusted(first) ||
    !isPlainAndTrusted(again) ||
    !wasTurnedAway(again) ||
    classifyStatus(other.answer) !== 'accepted'
  ) {
    return [];
  }
  return [
    {
      check: 'refused-leaves-trace',
      level: 'violation',
      operation: nameOperation(again),
      clause: {
        kind: 'document',
        pointer: first.operation?.pointer ?? '',
        quote: 'a request that is refused creates nothing',
      },
      expected: 'a key of a refused request is free',
      received: `${describeReceived(again.answer)} when the key came again, after ${describeReceived(first.answer)}`,
      cause: `after ${describeRequest(first.request)}`,
    },
  ];
};
