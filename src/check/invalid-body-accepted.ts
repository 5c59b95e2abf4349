import { describeSchemaProblem } from '../schema/describe-schema-problem.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Finds a body that breaks its schema and is taken all the same.
 *
 * @example 200 for a body without a property that the schema requires
 */
export const checkInvalidBodyAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  if (request.body.kind !== 'invalid' || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  const [problem] = request.body.problems;
  if (problem === undefined) {
    return undefined;
  }
  const words = describeSchemaProblem({ problem, value: request.body.value });
  return {
    check: 'invalid-body-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: request.body.schema.placeOf(problem.schemaPointer),
      quote: `${problem.keyword}: ${words}`,
    },
    expected: `a refusal, since ${words}`,
    received: describeReceived(answer),
    cause:
      `${problem.pointer.replaceAll(/\/\d+/gu, '/*')} ${problem.keyword} ${'property' in problem.params ? problem.params.property : ''}`.trim(),
  };
};
