import { decodeUtf8 } from '../http/decode-utf8.ts';
import type { Redactor } from '../http/create-redactor.ts';

/** Content as a JSON text can hold it without losing any of it. */
export type ShownBytes =
  | { readonly encoding: 'utf-8'; readonly text: string }
  /** What is no UTF-8. */
  | { readonly encoding: 'base64'; readonly text: string };

/** Content as text where it is UTF-8, else in base64; what is secret in it is hidden first. */
export function showBytes(bytes: Uint8Array, redactor: Redactor): ShownBytes {
  const text = decodeUtf8(bytes);
  return text === undefined
    ? { encoding: 'base64', text: Buffer.from(redactor.bytes(bytes)).toString('base64') }
    : { encoding: 'utf-8', text: redactor.text(text) };
}
