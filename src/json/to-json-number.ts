import { ExactNumber } from './exact-number.ts';

/**
 * A number as its text has it: a JavaScript number where that prints as the same text, else an exact one.
 *
 * @param text - a JSON number (RFC 8259 §6)
 */
export function toJsonNumber(text: string): number | ExactNumber {
  const value = Number(text);
  return String(value) === text ? value : new ExactNumber(text);
}
