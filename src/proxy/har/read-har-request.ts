import { type HeaderList, headerValue } from '../../http/header-list.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { memberOf, numberOf, textOf } from './har-value.ts';
import { readPostData } from './read-har-body.ts';
import { readHarHeaders } from './read-har-headers.ts';

/** Methods whose requests have no content unless they say so. */
const usuallyEmpty = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** Whether a request without content in the file is known to have had none. */
function hadNone(request: unknown, method: string, headers: HeaderList): boolean {
  const length = headerValue(headers, 'content-length');
  if (length !== undefined) {
    return /^0+$/u.test(length);
  }
  const size = numberOf(request, 'bodySize') ?? -1;
  return size === 0 || (size < 0 && usuallyEmpty.has(method));
}

/**
 * Reads the request of an entry.
 *
 * @param target - path and query
 * @returns why it cannot be judged too, where the file does not show all of it
 */
export function readHarRequest(
  request: unknown,
  target: string,
): { readonly request: HttpRequest; readonly unjudged: string | undefined } {
  const method = textOf(request, 'method') ?? '';
  const recorded = readHarHeaders(request);
  const postData = memberOf(request, 'postData');
  const body = readPostData(postData);
  const mediaType = textOf(postData, 'mimeType') ?? '';
  const headers: HeaderList =
    recorded.length === 0 && mediaType !== '' ? [['Content-Type', mediaType]] : recorded;
  const read = {
    method,
    target,
    headers,
    body: body.kind === 'bytes' && body.bytes.length > 0 ? body.bytes : undefined,
  };
  switch (body.kind) {
    case 'bytes':
      return { request: read, unjudged: undefined };
    case 'lost':
      return { request: read, unjudged: body.why };
    case 'absent': {
      const isLost = !hadNone(request, method, headers);
      return {
        request: read,
        unjudged: isLost ? 'the content of its request is not in the file' : undefined,
      };
    }
  }
}
