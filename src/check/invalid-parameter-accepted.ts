import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Finds a parameter that its schema does not accept, or that is required and missing, and that is taken
 * all the same.
 */
export const checkInvalidParameterAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  const [problem] = request.invalidParameters;
  if (problem === undefined || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  return {
    check: 'invalid-parameter-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: { kind: 'document', pointer: problem.pointer, quote: problem.reason },
    expected: `a refusal, since ${problem.reason}`,
    received: describeReceived(answer),
    cause: `${problem.in} ${problem.name} ${problem.keyword}`,
  };
};
