import type { Answer } from '../../http/answer.ts';
import { type HeaderList, headerValue } from '../../http/header-list.ts';
import { memberOf, numberOf, textOf } from './har-value.ts';
import { readHarBody } from './read-har-body.ts';
import { readHarHeaders } from './read-har-headers.ts';

/** Whether an answer without content in the file is known to have had none (RFC 9110 §6.4.1). */
function hadNone(response: unknown, method: string, headers: HeaderList): boolean {
  const status = numberOf(response, 'status') ?? 0;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return true;
  }
  const length = headerValue(headers, 'content-length');
  const size = numberOf(memberOf(response, 'content'), 'size') ?? -1;
  return length === undefined ? size === 0 && numberOf(response, 'bodySize') === 0 : /^0+$/u.test(length);
}

/** A browser leaves out what it has no name for, and some tools leave out all. */
function addContentType(headers: HeaderList, mimeType: string): HeaderList {
  const isKnown = headerValue(headers, 'content-type') !== undefined;
  return isKnown || headers.length > 0 || mimeType === '' ? headers : [['Content-Type', mimeType]];
}

/**
 * Reads the response of an entry. Its content has its codings taken off already, whatever Content-Encoding says
 * (HAR 1.2).
 *
 * @param method - of the request
 * @returns why it cannot be judged too, where the file does not show all of it
 */
export function readHarAnswer(
  response: unknown,
  method: string,
): { readonly answer: Answer; readonly unjudged: string | undefined } {
  const status = numberOf(response, 'status') ?? 0;
  if (status === 0) {
    return {
      answer: { kind: 'unreachable', reason: 'no answer was recorded' },
      unjudged: 'no answer was recorded',
    };
  }
  const content = memberOf(response, 'content');
  const recorded = readHarHeaders(response);
  const headers = addContentType(recorded, textOf(content, 'mimeType') ?? '');
  const body = readHarBody(content);
  const bytes = body.kind === 'bytes' ? body.bytes : new Uint8Array();
  const answer: Answer = { kind: 'response', response: { status, headers, body: bytes } };
  if (headerValue(headers, 'non-authoritative-reason') !== undefined) {
    return { answer, unjudged: 'the browser answered it itself' };
  }
  // Some tools write an empty text where they kept none.
  const isEmpty = body.kind === 'absent' || (body.kind === 'bytes' && bytes.length === 0);
  const length = Number(headerValue(headers, 'content-length') ?? 0);
  const isLost = isEmpty && (length > 0 || body.kind === 'absent') && !hadNone(response, method, headers);
  if (isLost) {
    return { answer, unjudged: 'the content of its answer is not in the file' };
  }
  if (recorded.length === 0) {
    return { answer, unjudged: 'the header fields of its answer are not in the file' };
  }
  return { answer, unjudged: body.kind === 'lost' ? body.why : undefined };
}
