/** Makes a text of a number; texts of different numbers differ. */
export type TextForm = (number: number) => string;

const width = 7;

/** Seven letters, which are enough for every number below 2^31. */
function letters(number: number): string {
  let rest = number;
  let text = '';
  for (let index = 0; index < width; index += 1) {
    text = String.fromCharCode(97 + (rest % 26)) + text;
    rest = Math.floor(rest / 26);
  }
  return text;
}

/**
 * Forms of texts of which services that bound them are likely to take one, the plainest first. Those of a few letters
 * come again after some thousand.
 */
export const textForms: readonly TextForm[] = [
  (number) => `by${letters(number)}`,
  (number) => `By${letters(number)}`,
  (number) => letters(number).slice(-5),
  (number) => letters(number).slice(-3),
  (number) => `by${letters(number).repeat(3)}`,
  (number) => `BY${letters(number).toUpperCase()}`,
  (number) => `b1${letters(number)}2`,
  (number) => String(number).padStart(10, '1'),
];
