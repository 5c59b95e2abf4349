import type { ContentFault } from './content-fault.ts';
import type { HeaderList } from './header-list.ts';

/** A response as it came, after its transfer coding was taken off. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * The content, empty where there is none. A send over the network takes the content codings gzip, deflate
   * and br off it; Content-Encoding stays in the headers.
   */
  readonly body: Uint8Array;
  /** Where a content coding could not be taken off: the body is as it came then. */
  readonly undecoded?: ContentFault;
  /**
   * Where the content is longer than is read: how many bytes that is. The body is a beginning of it then, as it came,
   * and says nothing of the whole.
   */
  readonly cutAfter?: number;
}

/** As much of content that is longer than is read is kept, to be shown. */
const mostKept = 64 * 1024;

/** A response whose content is longer than is read, with a beginning of it that breaks off at no half of a character. */
export function cutResponse(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  cutAfter: number,
): HttpResponse {
  const { status, headers, body } = response;
  let end = Math.min(mostKept, body.length);
  while (end < body.length && end > 0 && ((body[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  // A copy, so that the rest can go.
  return { status, headers, body: Uint8Array.from(body.subarray(0, end)), cutAfter };
}
