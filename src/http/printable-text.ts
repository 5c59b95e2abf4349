import { decodeUtf8 } from './decode-utf8.ts';

/**
 * Shows bytes as the text they are, where that text can be shown, copied and pasted as it is.
 *
 * @returns undefined where the bytes are no UTF-8, or hold control, format or unassigned characters or the
 *   end of a line
 */
export function printableText(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes);
  return text !== undefined && /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(text) ? text : undefined;
}
