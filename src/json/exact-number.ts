/**
 * A finite decimal: `digits × 10^exponent`, with a sign. To make an integer of its digits takes time that grows with their
 * square, so that it is made for whoever calculates; to compare needs none.
 */
class Decimal {
  readonly isNegative: boolean;
  /** Without zeros at either end; `0` for zero. */
  readonly digits: string;
  readonly exponent: number;

  constructor(isNegative: boolean, digits: string, exponent: number) {
    this.isNegative = isNegative;
    this.digits = digits;
    this.exponent = exponent;
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    if (this.digits === '0') return 0;
    return this.isNegative ? -1 : 1;
  }

  /** The digits with their sign, as an integer. */
  get coefficient(): bigint {
    const size = BigInt(this.digits);
    return this.isNegative ? -size : size;
  }
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u;

/** An exponent can be written with any number of digits; past this one, sums of exponents lose units. */
const largestExponent = 1e15;

/** Reads the text of a JSON number (RFC 8259 §6), or what JavaScript prints for a finite number. */
function parseDecimal(text: string): Decimal {
  const parts = numberParts.exec(text);
  if (parts === null) throw new TypeError(`Not a JSON number: ${text}`);
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+(?=\d)/u, '');
  let end = digits.length;
  // A pattern for the zeros at the end would try each zero before it.
  while (end > 0 && digits[end - 1] === '0') {
    end -= 1;
  }
  if (end === 0) return new Decimal(false, '0', 0);
  const written = Math.max(-largestExponent, Math.min(largestExponent, Number(power)));
  return new Decimal(sign === '-', digits.slice(0, end), written - fraction.length + (digits.length - end));
}

/**
 * A JSON number that a JavaScript number cannot give back as it was written: `9007199254740993`, `1.0`,
 * `1e2`, `-0`. It keeps its text.
 *
 * It has no enumerable property, so that a walk over a value takes it for a leaf.
 */
export class ExactNumber {
  readonly #text: string;
  #decimal: Decimal | undefined;

  /** Takes a JSON number (RFC 8259 §6). */
  constructor(text: string) {
    this.#text = text;
  }

  /** The number as it was written. */
  get text(): string {
    return this.#text;
  }

  /** The number by its value. */
  get decimal(): Decimal {
    return (this.#decimal ??= parseDecimal(this.#text));
  }

  toString(): string {
    return this.#text;
  }

  /** JSON.stringify would lose digits, so it is refused; use stringifyJson. */
  toJSON(): never {
    throw new TypeError(`JSON.stringify would change the number ${this.#text}; use stringifyJson`);
  }
}

/** The decimal that a JSON number, finite or exact, stands for. */
export function toDecimal(value: number | ExactNumber): Decimal {
  return value instanceof ExactNumber ? value.decimal : parseDecimal(String(value));
}

/** Compares two JSON numbers by value, to the last digit; the sign of the result is that of `a - b`. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (left.sign !== right.sign || left.sign === 0) return left.sign - right.sign;
  // The orders of magnitude come first, so that 1e999999999 is never written out.
  const larger = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (larger !== 0) return larger * left.sign;
  // Of one magnitude, digits compare as texts do: none begins or ends with a zero.
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -left.sign : left.sign;
}

/** Whether a JSON number has no fractional part, by value: `1.0` and `1e2` have none (JSON Schema 2020-12 validation §6.1.1). */
export function isInteger(value: number | ExactNumber): boolean {
  return value instanceof ExactNumber ? value.decimal.exponent >= 0 : Number.isInteger(value);
}

function powerModulo(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) {
      result = (result * square) % modulus;
    }
    square = (square * square) % modulus;
  }
  return result;
}

/** As many digits are an integer that JavaScript has exactly. */
const digitsAtOnce = 15;

/** What is left of a long integer, taken digit by digit: as a whole it would take time that grows with its square. */
function remainder(digits: string, modulus: bigint): bigint {
  let left = 0n;
  for (let start = 0; start < digits.length; start += digitsAtOnce) {
    const piece = digits.slice(start, start + digitsAtOnce);
    left = (left * 10n ** BigInt(piece.length) + BigInt(piece)) % modulus;
  }
  return left;
}

/**
 * Whether dividing one JSON number by another gives an integer, to the last digit
 * (JSON Schema 2020-12 validation §6.2.1): 0.3 is a multiple of 0.1. The divisor is greater than zero.
 */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
  const dividend = toDecimal(value);
  const step = toDecimal(divisor);
  if (dividend.sign === 0) return true;
  const shift = dividend.exponent - step.exponent;
  if (shift >= 0) {
    // Modular, so that 1e999999999 is never written out.
    const divided = step.coefficient;
    return (remainder(dividend.digits, divided) * powerModulo(10n, shift, divided)) % divided === 0n;
  }
  // A coefficient has no trailing zeros, so it is never a multiple of ten.
  return false;
}

/** The number of digits up to which JavaScript itself prints an integer without an exponent. */
const longestPlainInteger = 21;

/** One text for each value: 1, 1.0 and 1e0 give `1`; 9007199254740992 and …993 give two texts. */
export function numberKey(value: number | ExactNumber): string {
  if (Number.isSafeInteger(value)) return String(value);
  const { isNegative, digits: size, exponent } = toDecimal(value);
  const digits = isNegative ? `-${size}` : size;
  if (exponent >= 0 && digits.length + exponent <= longestPlainInteger) return digits + '0'.repeat(exponent);
  return `${digits}e${exponent}`;
}

/** Reads a JSON number (RFC 8259 §6): a JavaScript number where that prints as the same text, else an exact one. */
export function toJsonNumber(text: string): number | ExactNumber {
  const value = Number(text);
  return String(value) === text ? value : new ExactNumber(text);
}
