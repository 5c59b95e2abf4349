import type { Answer } from './answer.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { headerValue } from './header-list.ts';

/** How many characters of content are shown. */
const shownLength = 120;

/** In quotes on one line, whatever is in it. */
function describeBytes(bytes: Uint8Array, cutAfter?: number): string {
  const text = decodeUtf8(bytes);
  const size = cutAfter === undefined ? `${bytes.length} bytes` : `more than ${cutAfter} bytes`;
  if (text === undefined) {
    return `(${size} that are not UTF-8)`;
  }
  const characters = Array.from(text);
  const isLong = characters.length > shownLength;
  const shown = (isLong ? `${characters.slice(0, shownLength).join('')}…` : text)
    .replaceAll(/\r?\n/gu, '\u23CE')
    .replaceAll(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return isLong || cutAfter !== undefined ? `“${shown}” (${size})` : `“${shown}”`;
}

function describeReceived(bytes: Uint8Array): string {
  return bytes.length === 0 ? 'nothing came' : `what came: ${describeBytes(bytes)}`;
}

/**
 * Says on one line what came of a request, long content shortened: `200 application/json “{"id":1}”`.
 *
 * It may show what a service repeats of a request; credentials are the caller's to redact.
 */
export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'response': {
      const { status, headers, body, cutAfter } = answer.response;
      const mediaType = headerValue(headers, 'content-type') ?? 'without Content-Type';
      return body.length === 0
        ? `${status} without content`
        : `${status} ${mediaType} ${describeBytes(body, cutAfter)}`;
    }
    case 'timed-out':
      return `no whole answer within ${answer.afterMs} ms (${describeReceived(answer.received)})`;
    case 'dropped':
      return `${answer.reason} (${describeReceived(answer.received)})`;
    case 'not-http':
      return `not HTTP/1.1: ${answer.reason} (${describeReceived(answer.received)})`;
    case 'unreachable':
      return `not reached: ${answer.reason}`;
  }
}
