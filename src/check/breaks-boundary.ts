import { compareNumbers } from '../json/compare-numbers.ts';
import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import type { Boundary, CharacterBoundary, LengthUnit } from './boundary.ts';
import { characterClasses } from './character-classes.ts';

function measure(text: string, unit: LengthUnit): number {
  switch (unit) {
    case 'bytes':
      return new TextEncoder().encode(text).length;
    case 'utf-16':
      return text.length;
    case 'code-points':
    case 'unknown':
      return [...text].length;
  }
}

/** Whether a size is on the refused side. */
function isBeyond(size: number, { accepted, refused }: { accepted: number; refused: number }): boolean {
  return refused > accepted ? size >= refused : size <= refused;
}

function holdsRefused(text: string, { classes, refused, but }: CharacterBoundary): boolean {
  if (but !== undefined) {
    const allowed = Object.values(characterClasses).filter(({ samples }) =>
      samples.every((sample) => but.includes(sample)),
    );
    return [...text].some(
      (character) =>
        !/[a-z]/u.test(character) &&
        !but.includes(character) &&
        !allowed.some(({ form }) => form.test(character)),
    );
  }
  return (
    refused.some((character) => text.includes(character)) ||
    classes.some((name) => characterClasses[name].form.test(text))
  );
}

/**
 * Whether a value at the place of a boundary is on its refused side. The size of a body is not told from a value.
 */
export function breaksBoundary(value: JsonValue, boundary: Boundary): boolean {
  switch (boundary.what) {
    case 'body-size':
      return false;
    case 'items':
      return Array.isArray(value) && isBeyond(value.length, boundary);
    case 'value': {
      if (typeof value !== 'number' && !(value instanceof ExactNumber)) {
        return false;
      }
      const limit = toJsonNumber(boundary.refused);
      const side = compareNumbers(limit, toJsonNumber(boundary.accepted));
      return compareNumbers(value, limit) * side >= 0;
    }
    case 'length':
      return typeof value === 'string' && isBeyond(measure(value, boundary.unit), boundary);
    case 'blank':
      return typeof value === 'string' && value.trim() === '';
    // Whatever is sent again to see whether it is refused again has been sent before.
    case 'repeated':
      return typeof value === 'string';
    case 'white-space':
      return typeof value === 'string' && value.trim() !== value;
    case 'characters':
      return typeof value === 'string' && holdsRefused(value, boundary);
  }
}
