import { appendPointer } from '../json/json-pointer.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';

/**
 * Finds content of a media type that the document does not declare for the status, and no content where
 * the document declares some (OpenAPI 3.1 §4.8.17).
 *
 * @example `400 text/html` where the document declares application/json
 */
export const checkResponseMediaType: ExchangeCheck = (subject) => {
  const { answer, exchange } = subject;
  if (answer.kind === 'none' || answer.declared === undefined || exchange.request.method === 'HEAD') {
    return undefined;
  }
  const { declared, content } = answer;
  const isEmpty = content.kind === 'none';
  if (declared.media.length === 0 || (!isEmpty && content.media !== undefined)) {
    return undefined;
  }
  if (isEmpty && [204, 205, 304].includes(answer.response.status)) {
    return undefined;
  }
  const ranges = declared.media.map(({ range }) => range).join(' or ');
  return {
    check: 'response-media-type',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: appendPointer(declared.pointer, 'content'),
      quote: `declares ${ranges} for ${answer.response.status}`,
    },
    expected: ranges,
    received: isEmpty ? `${answer.response.status} without content` : describeReceived(answer),
    // A boundary is drawn anew for each answer.
    cause: `${answer.response.status} ${isEmpty ? 'without content' : content.kind === 'other' ? content.mediaType?.split(';', 1)[0]?.toLowerCase() : 'other JSON'}`,
  };
};
