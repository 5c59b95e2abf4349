import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Finds content of a media type that the document does not declare, that holds no valid body in any
 * notation, and that is taken all the same.
 */
export const checkMediaTypeAccepted: ExchangeCheck = (subject) => {
  const { answer, request, operation } = subject;
  const isOther = request.body.kind === 'other-media' && !request.body.carries;
  if (!isOther || operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  const ranges = operation.requestBody?.media.map(({ range }) => range).join(' or ') ?? 'no content';
  return {
    check: 'media-type-accepted',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.requestBody?.pointer ?? operation.pointer,
      quote: `declares ${ranges}`,
    },
    expected: `a refusal of content that is not ${ranges}`,
    received: describeReceived(answer),
    cause: 'no body in any notation',
  };
};
