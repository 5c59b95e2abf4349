import { describeReceived, nameOperation } from './describe-subject.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';
import type { TraceCheck } from './trace-check.ts';

/** Whether the second of two neighbours was refused although the first was taken. */
function refusesSecond(first: Judged, second: Judged): boolean {
  return (
    classifyStatus(first.answer) === 'accepted' &&
    second.answer.kind === 'response' &&
    second.answer.response.status >= 300 &&
    second.answer.response.status < 500
  );
}

/**
 * Finds two keys that are two by the document and one to the service: they differ only past 2^53, or past
 * 32 bits. The trace is two pairs, the twins in one order and fresh twins in the other, so that each of the
 * two is seen to be taken when it comes first.
 *
 * @example 9007199254740993 refused as existing after 9007199254740992
 */
export const checkTwinKeys: TraceCheck = (trace): readonly Finding[] => {
  const [first, second, third, fourth] = trace;
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) {
    return [];
  }
  if (!refusesSecond(first, second) || !refusesSecond(third, fourth)) {
    return [];
  }
  return [
    {
      check: 'twin-keys',
      level: 'violation',
      operation: nameOperation(second),
      clause: {
        kind: 'document',
        pointer: second.operation?.requestBody?.pointer ?? '',
        quote: 'the schema of the key tells the two apart',
      },
      expected: 'two keys that differ are two',
      received: `${describeReceived(second.answer)} for the second of two different keys, in both orders`,
      cause: 'merged',
    },
  ];
};
