import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';

const container = 2;
const emptyText = 3;

function characterCost(character: string): number {
  if (character === 'a') {
    return 1;
  }
  return /^[A-Za-z]$/u.test(character) ? 2 : 3;
}

function textCost(text: string): number {
  // Texts of one letter are as long as any, and cost most to go through.
  const isOfLetter = /^a+$/u.test(text);
  const characters = isOfLetter ? [] : [...text];
  return text === ''
    ? emptyText
    : characters.reduce((sum, character) => sum + characterCost(character), isOfLetter ? text.length : 0);
}

/**
 * How much there is to read in a value: what anybody would send, as short as can be, costs least. `"a"` costs
 * less than an empty text and 1 less than any other number, as both are special cases to many a service.
 *
 * @param isFree - tells the numbers that stand for something else, which cost as little as 1 does
 */
export function valueCost(value: JsonValue, isFree: (text: string) => boolean): number {
  if (typeof value === 'string') {
    return isFree(value) ? 1 : textCost(value);
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const text = String(value);
    return text === '1' || isFree(text) ? 1 : 1 + text.length;
  }
  if (value === null || typeof value === 'boolean') {
    return 2;
  }
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + 1 + valueCost(item, isFree), container);
  }
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + 1 + textCost(name) + valueCost(member, isFree),
    container,
  );
}
