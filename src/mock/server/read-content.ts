import type { IncomingMessage } from 'node:http';
import type { RequestContent } from '../steps/request-head.ts';

/**
 * Reads the content of a request, and throws away what is more than the limit.
 *
 * @param limit - in bytes; a change of the contract while content comes in is no matter of this request
 * @param then - is given the content once, when all of it is there, or as soon as it is too large; never where the
 * connection ends before
 */
export function readContent(
  request: IncomingMessage,
  limit: number,
  then: (content: RequestContent) => void,
): void {
  let chunks: Buffer[] | undefined;
  let first: Buffer | undefined;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) {
      if (length - chunk.length <= limit) {
        chunks = undefined;
        first = undefined;
        then('too-large');
      }
      return;
    }
    if (first === undefined) {
      first = chunk;
    } else {
      chunks ??= [first];
      chunks.push(chunk);
    }
  });
  request.on('end', () => {
    if (length <= limit) {
      then(chunks === undefined ? first : Buffer.concat(chunks, length));
    }
  });
}
