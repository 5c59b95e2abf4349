/** A finite decimal: `coefficient × 10^exponent`, the coefficient without trailing zeros (zero is 0 × 10^0). */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

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
  const kept = digits.replace(/0+$/u, '');
  if (kept === '') {
    return { coefficient: 0n, exponent: 0 };
  }
  return {
    coefficient: BigInt(sign + kept),
    exponent: clampExponent(Number(power)) - fraction.length + (digits.length - kept.length),
  };
}
