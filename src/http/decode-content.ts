import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { errorCode } from './error-code.ts';
import { headerValue } from './header-list.ts';
import type { HttpResponse } from './http-response.ts';

/** Past this, content stays as it came: a small answer may unfold without end. */
const mostBytes = 64 * 1024 * 1024;
/** zlib's word for content that would grow past the limit. */
const tooLong = 'ERR_BUFFER_TOO_LARGE';

function inflate(content: Uint8Array): Uint8Array {
  try {
    return inflateSync(content, { maxOutputLength: mostBytes });
  } catch (error) {
    if (errorCode(error) === tooLong) {
      throw error;
    }
    // RFC 9110 §8.4.1.2: some senders leave the zlib wrapper off.
    return inflateRawSync(content, { maxOutputLength: mostBytes });
  }
}

function decodeOnce(content: Uint8Array, coding: string): Uint8Array | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(content, { maxOutputLength: mostBytes });
    case 'deflate':
      return inflate(content);
    case 'br':
      return brotliDecompressSync(content, { maxOutputLength: mostBytes });
    case 'identity':
    case '':
      return content;
    default:
      return undefined;
  }
}

/**
 * Takes the content codings gzip, deflate and br off the content of a response (RFC 9110 §8.4).
 *
 * @param response - as it came, Content-Encoding among its headers
 * @returns the response as it came, with the coding named, where that coding is not known or the content is
 * not in it
 */
export function decodeContent(response: HttpResponse): HttpResponse {
  const { headers, body } = response;
  const value = body.length === 0 ? undefined : headerValue(headers, 'content-encoding');
  if (value === undefined) {
    return response;
  }
  let decoded = body;
  for (const listed of value.toLowerCase().split(',').toReversed()) {
    const coding = listed.trim();
    try {
      const next = decodeOnce(decoded, coding);
      if (next === undefined) {
        return { ...response, undecoded: { coding, reason: 'unknown' } };
      }
      decoded = next;
    } catch (error) {
      const reason = errorCode(error) === tooLong ? 'too-long' : 'broken';
      return { ...response, undecoded: { coding, reason } };
    }
  }
  return { ...response, body: decoded };
}
