import type { JsonValue } from '../json/json-value.ts';

function vary(item: JsonValue, index: number): JsonValue {
  if (index === 0 || (typeof item !== 'string' && typeof item !== 'number')) {
    return item;
  }
  const digits = index.toString(26).replaceAll(/\d/gu, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
  return typeof item === 'number' ? item + index : item + digits;
}

/**
 * Makes lists of so many items like a given one, those first that differ from each other: a list may have to hold
 * no item twice, and another one no item but some.
 */
export function repeatItem(item: JsonValue, count: number): readonly (readonly JsonValue[])[] {
  return [
    Array.from({ length: count }, (_, index) => vary(item, index)),
    Array.from({ length: count }, () => item),
  ];
}
