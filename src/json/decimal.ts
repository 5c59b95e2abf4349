/**
 * A finite decimal: `digits × 10^exponent`, with a sign. To make an integer of its digits takes time that grows with their
 * square, so that it is made for whoever calculates; to compare needs none.
 */
export class Decimal {
  readonly isNegative: boolean;
  /** Without zeros at either end; `0` for zero. */
  readonly digits: string;
  readonly exponent: number;

  constructor(parts: { readonly isNegative: boolean; readonly digits: string; readonly exponent: number }) {
    this.isNegative = parts.isNegative;
    this.digits = parts.digits;
    this.exponent = parts.exponent;
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.digits === '0' ? 0 : this.isNegative ? -1 : 1;
  }

  /** The digits with their sign, as an integer. */
  get coefficient(): bigint {
    const size = BigInt(this.digits);
    return this.isNegative ? -size : size;
  }
}

const zero = 0x30;
const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u;

/** An exponent can be written with any number of digits; past this one, sums of exponents lose units. */
const largestExponent = 1e15;

function clampExponent(exponent: number): number {
  return Math.max(-largestExponent, Math.min(largestExponent, exponent));
}

/**
 * Reads the text of a JSON number (RFC 8259 §6), or what JavaScript prints for a finite number, as the
 * decimal it stands for.
 *
 * @param text - `-12.50e3`
 * @throws TypeError where the text is not a JSON number
 */
export function parseDecimal(text: string): Decimal {
  const parts = numberParts.exec(text);
  if (parts === null) {
    throw new TypeError(`Not a JSON number: ${text}`);
  }
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+(?=\d)/u, '');
  let end = digits.length;
  // A pattern for the zeros at the end would try each zero before it.
  while (end > 0 && digits.charCodeAt(end - 1) === zero) {
    end -= 1;
  }
  return end === 0
    ? new Decimal({ isNegative: false, digits: '0', exponent: 0 })
    : new Decimal({
        isNegative: sign === '-',
        digits: digits.slice(0, end),
        exponent: clampExponent(Number(power)) - fraction.length + (digits.length - end),
      });
}
