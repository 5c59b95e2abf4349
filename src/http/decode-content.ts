import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { headerValue, type HeaderList } from './header-list.ts';

/** Past this, content stays as it came: a small answer may unfold without end. */
const mostBytes = 64 * 1024 * 1024;

function inflate(content: Uint8Array): Uint8Array {
  try {
    return inflateSync(content, { maxOutputLength: mostBytes });
  } catch {
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
 * @param headers - those of the response, Content-Encoding among them
 * @returns the content as it came where a coding is not known, or where the content is not in it
 */
export function decodeContent(headers: HeaderList, content: Uint8Array): Uint8Array {
  if (content.length === 0) {
    return content;
  }
  const codings = headerValue(headers, 'content-encoding')?.toLowerCase().split(',') ?? [];
  let decoded = content;
  try {
    for (const coding of codings.toReversed()) {
      const next = decodeOnce(decoded, coding.trim());
      if (next === undefined) {
        return content;
      }
      decoded = next;
    }
  } catch {
    return content;
  }
  return decoded;
}
