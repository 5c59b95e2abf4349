import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { errorCode } from './failures.ts';
import { cutResponse, headerValue, type HttpResponse } from './message.ts';

/** The maximum number of codings. Each decodes the whole content; thousands would take minutes. */
const mostCodings = 5;
/** The zlib error code for content that would exceed the limit. */
const tooLong = 'ERR_BUFFER_TOO_LARGE';

type Decode = (content: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array;

const inflate: Decode = (content, limit) => {
  try {
    return inflateSync(content, limit);
  } catch (error) {
    if (errorCode(error) === tooLong) throw error;
    // RFC 9110 §8.4.1.2: some senders omit the zlib wrapper.
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
 * Decodes gzip, deflate and br content of a response (RFC 9110 §8.4), up to `mostBytes`. A small response may expand
 * without limit, and is cut then. An unknown coding, or a coding that does not match the content, is reported, and the
 * content stays encoded.
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
