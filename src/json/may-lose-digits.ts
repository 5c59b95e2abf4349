/** JSON.parse changes only numbers that have 16 digits or more, a fraction, an exponent, or are -0. */
const lossyNumber = /\d{16}|\d[.eE]|-0/u;

const quote = 0x22;
const backslash = 0x5c;
const mostDigits = 15;

/** Where the string ends that begins at a place: at the place of its closing quote. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== quote) {
    index += text.charCodeAt(index) === backslash ? 2 : 1;
  }
  return index;
}

/** Whether a number that JSON.parse may change stands outside all strings. */
function holdsLossyNumber(text: string): boolean {
  let digits = 0;
  let isNegative = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      if (digits === mostDigits || (isNegative && code === 0x30)) {
        return true;
      }
      digits += 1;
      isNegative = false;
      continue;
    }
    // A fraction or an exponent: no other letter and no other dot stands behind a digit.
    if (digits > 0 && (code === 0x2e || code === 0x65 || code === 0x45)) {
      return true;
    }
    digits = 0;
    isNegative = code === 0x2d;
    if (code === quote) {
      index = endOfString(text, index);
    }
  }
  return false;
}

/**
 * Whether JSON.parse may have lost something of a number. Texts in a body often look like such a number, and a
 * reader that keeps places costs many times this look.
 *
 * @param text - a JSON text (RFC 8259)
 * @returns false only where every number comes out as it was written
 */
export function mayLoseDigits(text: string): boolean {
  return lossyNumber.test(text) && holdsLossyNumber(text);
}
