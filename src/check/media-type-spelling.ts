import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/**
 * Advises on a declared media type that is refused for its case or for a charset of UTF-8
 * (RFC 9110 §8.3.1: type and subtype are case-insensitive).
 *
 * @example 415 for `application/json; charset=utf-8`
 */
export const checkMediaTypeSpelling: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  if (operation === undefined || !context.taken.has(operation.id)) {
    return undefined;
  }
  const isPlain = request.body.kind === 'valid' && request.body.grade.kind === 'plain';
  const isTrusted = request.credentials === 'good' || request.credentials === 'not-required';
  if (
    request.mediaTypeSpelling !== 'unusual' ||
    !isPlain ||
    !isTrusted ||
    request.key === 'sent' ||
    answer.kind === 'none'
  ) {
    return undefined;
  }
  if (classifyStatus(answer) !== 'refused' && answer.response.status !== 415) {
    return undefined;
  }
  return {
    check: 'media-type-spelling',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '8.3.1',
      quote: 'The type and subtype tokens are case-insensitive',
    },
    expected: 'the declared media type is taken, however it is spelled',
    received: describeReceived(answer),
    cause: 'refused',
  };
};
