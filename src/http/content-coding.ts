import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { errorCode } from './failures.ts';
import { cutResponse, headerValue, type HttpResponse } from './message.ts';

/** Each is taken off the whole content: thousands of them would take minutes. */
const mostCodings = 5;
/** zlib's word for content that would grow past the limit. */
const tooLong = 'ERR_BUFFER_TOO_LARGE';

type Decode = (content: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array;

const inflate: Decode = (content, limit) => {
  try {
    return inflateSync(content, limit);
  } catch (error) {
    if (errorCode(error) === tooLong) throw error;
    // RFC 9110 §8.4.1.2: some senders leave the zlib wrapper off.
    return inflateRawSync(content, limit);
  }
};

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
  ['identity', (content) => content],
  ['', (content) => content],
]);

/**
 * Takes gzip, deflate and br off the content of a response (RFC 9110 §8.4), as far as `mostBytes`: a small
 * answer may unfold without end, and is cut then. A coding that is not known, or that the content is not in,
 * is named, and stays.
 */
export function decodeContent(response: HttpResponse, mostBytes: number): HttpResponse {
  const { headers, body } = response;
  const value = body.length === 0 ? undefined : headerValue(headers, 'content-encoding');
  if (value === undefined) return response;
  let decoded = body;
  if (value.split(',').length > mostCodings) {
    return { ...response, undecoded: { coding: `${mostCodings} codings and more`, reason: 'unknown' } };
  }
  for (const listed of value.toLowerCase().split(',').toReversed()) {
    const coding = listed.trim();
    try {
      const next = decoders.get(coding)?.(decoded, { maxOutputLength: mostBytes });
      if (next === undefined) return { ...response, undecoded: { coding, reason: 'unknown' } };
      decoded = next;
    } catch (error) {
      return errorCode(error) === tooLong
        ? cutResponse(response, mostBytes)
        : { ...response, undecoded: { coding, reason: 'broken' } };
    }
  }
  return { ...response, body: decoded };
}
