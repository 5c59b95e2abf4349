import { decodeUtf8 } from '../http/decode-utf8.ts';
import type { Redactor } from '../http/create-redactor.ts';

/** Content as a JSON text can hold it, without losing any of it where it is not very long. */
export interface ShownBytes {
  /** base64 for what is no UTF-8. */
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** Where only the beginning is shown: how many bytes there were. */
  readonly of?: number;
}

/** A report holds many exchanges, and whoever opens it has to read it whole. */
const mostShown = 1024 * 1024;
/** A secret that stands at the cut is hidden whole. */
const mostRead = mostShown + 64 * 1024;

/** Content as text where it is UTF-8, else in base64; what is secret in it is hidden first, and very long content cut. */
export function showBytes(bytes: Uint8Array, redactor: Redactor): ShownBytes {
  const cut = bytes.length > mostShown ? { of: bytes.length } : {};
  const text = decodeUtf8(bytes);
  return text === undefined
    ? {
        encoding: 'base64',
        text: Buffer.from(redactor.bytes(bytes.subarray(0, mostRead)).subarray(0, mostShown)).toString(
          'base64',
        ),
        ...cut,
      }
    : {
        encoding: 'utf-8',
        // No half of a pair of surrogates at the end.
        text: redactor
          .text(text.slice(0, mostRead))
          .slice(0, mostShown)
          .replace(/[\uD800-\uDBFF]$/u, ''),
        ...cut,
      };
}
