/**
 * A finite decimal: `digits × 10^exponent`, with a sign. Converting the digits to an integer takes quadratic time.
 * Therefore only calculations convert them. Comparisons do not.
 */
class Decimal {
  readonly isNegative: boolean;
  /** Without leading and trailing zeros; `0` for zero. */
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

/** An exponent may have any number of digits. Beyond this one, sums of exponents lose precision. */
const largestExponent = 1e15;

/** Parses the text of a JSON number (RFC 8259 §6), or of a finite number as JavaScript prints it. */
function parseDecimal(text: string): Decimal {
  const parts = numberParts.exec(text);
  if (parts === null) throw new TypeError(`Not a JSON number: ${text}`);
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+(?=\d)/u, '');
  let end = digits.length;
  // A regular expression for trailing zeros would also try each earlier zero.
  while (end > 0 && digits[end - 1] === '0') {
    end -= 1;
  }
  if (end === 0) return new Decimal(false, '0', 0);
  const written = Math.max(-largestExponent, Math.min(largestExponent, Number(power)));
  return new Decimal(sign === '-', digits.slice(0, end), written - fraction.length + (digits.length - end));
}

/**
 * A JSON number that changes when JavaScript reads and prints it: `9007199254740993`, `1.0`, `1e2`, `-0`. It keeps its
 * text.
 *
 * It has no enumerable properties, so code that traverses a value treats it as a leaf.
 */
export class ExactNumber {
  readonly #text: string;
  #decimal: Decimal | undefined;

  /** Creates a number from the text of a JSON number (RFC 8259 §6). */
  constructor(text: string) {
    this.#text = text;
  }

  /** The text of the number, unchanged. */
  get text(): string {
    return this.#text;
  }

  /** The value of the number. */
  get decimal(): Decimal {
    return (this.#decimal ??= parseDecimal(this.#text));
  }

  toString(): string {
    return this.#text;
  }

  /** Throws, because JSON.stringify would lose digits; use stringifyJson. */
  toJSON(): never {
    throw new TypeError(`JSON.stringify would change the number ${this.#text}; use stringifyJson`);
  }
}

/** Returns the decimal of a JSON number, finite or exact. */
export function toDecimal(value: number | ExactNumber): Decimal {
  return value instanceof ExactNumber ? value.decimal : parseDecimal(String(value));
}

/** Compares two JSON numbers by value, to the last digit. The sign of the result is that of `a - b`. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (left.sign !== right.sign || left.sign === 0) return left.sign - right.sign;
  // Compares orders of magnitude first. Thus 1e999999999 is never expanded.
  const larger = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  if (larger !== 0) return larger * left.sign;
  // With equal magnitudes, digits compare like strings, because they have no leading or trailing zeros.
  if (left.digits === right.digits) return 0;
  return left.digits < right.digits ? -left.sign : left.sign;
}

/** Returns whether a number is an integer by value, like `1.0` and `1e2` (JSON Schema 2020-12 validation §6.1.1). */
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

/** JavaScript represents every integer of this number of digits exactly. */
const digitsAtOnce = 15;

/** Returns the remainder of a long integer, in pieces. Converting it as a whole takes quadratic time. */
function remainder(digits: string, modulus: bigint): bigint {
  let left = 0n;
  for (let start = 0; start < digits.length; start += digitsAtOnce) {
    const piece = digits.slice(start, start + digitsAtOnce);
    left = (left * 10n ** BigInt(piece.length) + BigInt(piece)) % modulus;
  }
  return left;
}

/**
 * Returns whether one JSON number is a multiple of another, to the last digit (JSON Schema 2020-12 validation §6.2.1).
 * 0.3 is a multiple of 0.1. The divisor is greater than zero.
 */
export function isMultipleOf(value: number | ExactNumber, divisor: number | ExactNumber): boolean {
  const dividend = toDecimal(value);
  const step = toDecimal(divisor);
  if (dividend.sign === 0) return true;
  const shift = dividend.exponent - step.exponent;
  if (shift >= 0) {
    // Modular arithmetic never expands 1e999999999.
    const divided = step.coefficient;
    return (remainder(dividend.digits, divided) * powerModulo(10n, shift, divided)) % divided === 0n;
  }
  // A coefficient has no trailing zeros. Therefore it is never a multiple of ten.
  return false;
}

/** The maximum number of digits with which JavaScript prints an integer without an exponent. */
const longestPlainInteger = 21;

/** Returns one text for each value: 1, 1.0 and 1e0 give `1`; 9007199254740992 and …993 give two texts. */
export function numberKey(value: number | ExactNumber): string {
  if (Number.isSafeInteger(value)) return String(value);
  const { isNegative, digits: size, exponent } = toDecimal(value);
  const digits = isNegative ? `-${size}` : size;
  if (exponent >= 0 && digits.length + exponent <= longestPlainInteger) return digits + '0'.repeat(exponent);
  return `${digits}e${exponent}`;
}

/** Parses a JSON number (RFC 8259 §6). Returns an ExactNumber if a JavaScript number would print as another text. */
export function toJsonNumber(text: string): number | ExactNumber {
  const value = Number(text);
  return String(value) === text ? value : new ExactNumber(text);
}

/** Converts all numbers in a value to plain JavaScript numbers: `1.0` becomes 1. */
export function toPlainNumbers<T>(value: T): T;
/** The same for any value. */
export function toPlainNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map((item: unknown) => toPlainNumbers(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainNumbers(member)]));
  }
  return value;
}
