import { questions } from '../policy/questions.ts';
import {
  describeReceived,
  describeRequest,
  describeBroadTrigger,
  nameOperation,
} from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { explainStatus } from './explain-status.ts';
import type { Finding, Level } from './finding.ts';
import { listStatuses, quoteResponses } from './quote-document.ts';
import { declaresRefusal } from './status-class.ts';

/**
 * Finds a status that the document does not declare and that nothing in the request explains. Where the
 * request does explain it (credentials, media type, size, a repeated key, …) it is an observation. A 404
 * under a path with parameters may speak of the parent, so it is one too.
 *
 * @example 201 where the document declares 200 and 400
 */
export const checkUndeclaredStatus: ExchangeCheck = (subject, context): Finding | undefined => {
  const { answer, operation, request } = subject;
  if (operation === undefined || answer.kind === 'none' || answer.declared !== undefined) {
    return undefined;
  }
  const { status } = answer.response;
  // A server error and what is no status have checks of their own.
  if (status < 100 || status >= 500) {
    return undefined;
  }
  const question = explainStatus(subject, context);
  const hasParent = operation.path.segments.some(({ kind }) => kind !== 'literal');
  if (question !== undefined || (status === 404 && hasParent)) {
    const id = question ?? 'other-operations';
    return {
      check: 'undeclared-status',
      level: 'observation',
      operation: nameOperation(subject),
      clause: { kind: 'policy', question: id, quote: questions[id].question },
      expected: 'any of the answers that the question allows',
      received: describeReceived(answer),
      cause: `${id} ${describeReceived(answer)}`,
    };
  }
  const isRefusal = status >= 400 && status < 500;
  const { body } = request;
  const mayBeRefused =
    ['invalid', 'malformed', 'other-media'].includes(body.kind) ||
    // With a refusal declared it would be an undeclared constraint, and no more.
    (body.kind === 'valid' && body.grade.kind === 'extreme') ||
    request.invalidParameters.length > 0;
  const level: Level = isRefusal && mayBeRefused && !declaresRefusal(operation) ? 'advice' : 'violation';
  return {
    check: 'undeclared-status',
    level,
    operation: nameOperation(subject),
    clause: quoteResponses(operation),
    expected: `one of ${listStatuses(operation)} for ${describeRequest(request)}`,
    received: describeReceived(answer),
    cause: String(status),
    ...describeBroadTrigger(request),
  };
};
