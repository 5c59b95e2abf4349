import type { StoreKey } from './store.ts';

/**
 * Writes a key, a claim or a name as a JSON text. That tells 1 from "1", and any characters travel in it: NUL, and
 * half of a pair of surrogates, which UTF-8 has no bytes for (RFC 8259 §8.2).
 */
export function toKeyText(key: StoreKey): string {
  return JSON.stringify(key);
}

/** Reads what toKeyText wrote. */
export function fromKeyText(text: string): StoreKey {
  // `as`: toKeyText wrote it.
  return JSON.parse(text) as StoreKey;
}

/** Reads the text that toKeyText wrote of a claim or a name. */
export function fromNameText(text: string): string {
  return String(fromKeyText(text));
}
