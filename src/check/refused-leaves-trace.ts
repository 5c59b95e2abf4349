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
 * body afterwards, is refused. It looks at pairs: the first exchange of a trace and the last.
 *
 * @example an id of a request answered 401 that is "taken" when it comes again with a good token
 */
export const checkRefusedLeavesTrace: TraceCheck = (trace): readonly Finding[] => {
  const [first] = trace;
  const last = trace.at(-1);
  if (
    first === undefined ||
    last === undefined ||
    first === last ||
    !wasTurnedAway(first) ||
    !isPlainAndTrusted(last)
  ) {
    return [];
  }
  if (isPlainAndTrusted(first) || classifyStatus(last.answer) === 'accepted' || last.answer.kind === 'none') {
    return [];
  }
  const { status } = last.answer.response;
  if (status < 300 || status >= 500) {
    return [];
  }
  return [
    {
      check: 'refused-leaves-trace',
      level: 'violation',
      operation: nameOperation(last),
      clause: {
        kind: 'document',
        pointer: first.operation?.pointer ?? '',
        quote: 'a request that is refused creates nothing',
      },
      expected: 'a key of a refused request is free',
      received: `${describeReceived(last.answer)} when the key came again, after ${describeReceived(first.answer)}`,
      cause: `after ${describeRequest(first.request)}`,
    },
  ];
};
