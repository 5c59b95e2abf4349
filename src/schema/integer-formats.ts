import { compareNumbers } from '../json/compare-numbers.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { isInteger } from '../json/is-integer.ts';

/** The ends of a range of integers, both inside it. */
export interface IntegerRange {
  readonly minimum: ExactNumber;
  readonly maximum: ExactNumber;
}

/** The integer formats of the OpenAPI format registry, by name. */
export const integerFormats: ReadonlyMap<string, IntegerRange> = new Map([
  ['int32', { minimum: new ExactNumber('-2147483648'), maximum: new ExactNumber('2147483647') }],
  [
    'int64',
    { minimum: new ExactNumber('-9223372036854775808'), maximum: new ExactNumber('9223372036854775807') },
  ],
]);

/** Whether a JSON number is an integer inside a range, by its value to the last digit. */
export function isIntegerInRange(value: number | ExactNumber, range: IntegerRange): boolean {
  if (Number.isSafeInteger(value) && range === integerFormats.get('int64')) {
    return true;
  }
  return (
    isInteger(value) && compareNumbers(value, range.minimum) >= 0 && compareNumbers(value, range.maximum) <= 0
  );
}
