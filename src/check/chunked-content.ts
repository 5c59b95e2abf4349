import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { findBrokenPart } from './find-broken-part.ts';

/**
 * Finds content in chunks whose sizes are wrong, or whose last chunk never comes (RFC 9112 §7.1, §8).
 *
 * @example `Transfer-Encoding: chunked` before content that is not in chunks
 */
export const checkChunkedContent: ExchangeCheck = (subject, context) => {
  const broken = findBrokenPart(subject, context);
  if (broken?.part !== 'chunks') {
    return undefined;
  }
  return {
    check: 'chunked-content',
    level: 'violation',
    operation: nameOperation(subject),
    clause: broken.isCutShort
      ? {
          kind: 'rfc',
          name: 'RFC 9112',
          section: '8',
          quote:
            'A message body that uses the chunked transfer coding is incomplete if the zero-sized chunk that terminates the encoding has not been received',
        }
      : {
          kind: 'rfc',
          name: 'RFC 9112',
          section: '7.1',
          quote:
            'The chunked transfer coding wraps content in order to transfer it as a series of chunks, each with its own size indicator',
        },
    expected: broken.isCutShort ? 'a last chunk, of no size' : 'a series of chunks',
    received: broken.reason,
    cause: broken.isCutShort ? 'cut short' : 'malformed',
  };
};
