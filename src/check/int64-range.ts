import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Advises on a number outside its format that is taken: `format` asserts by convention alone
 * (JSON Schema 2020-12 validation §7.2.1). Where the policy says so, it is no finding.
 *
 * @example 200 for the id 9223372036854775808, whose format is int64
 */
export const checkInt64Range: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  const { body } = request;
  const isOutside =
    body.kind === 'valid' && body.grade.kind === 'contested' && body.grade.questions.includes('int64-range');
  if (!isOutside || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  if (context.told.has('int64-range') && context.policy['int64-range'] === 'accept') {
    return undefined;
  }
  return {
    check: 'int64-range',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'policy',
      question: 'int64-range',
      quote: 'Are integers outside the range of their format refused?',
    },
    expected: 'a value outside its format is refused, or the format is left out of the document',
    received: describeReceived(answer),
    cause: 'accepted',
  };
};
