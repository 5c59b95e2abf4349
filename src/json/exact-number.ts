import { type Decimal, parseDecimal } from './decimal.ts';

/**
 * A JSON number that a JavaScript number cannot give back as it was written: `9007199254740993`, `1.0`,
 * `1e2`, `-0`. It keeps its text.
 *
 * It has no enumerable property, so that a walk over a value takes it for a leaf.
 */
export class ExactNumber {
  readonly #text: string;
  #decimal: Decimal | undefined;

  /** @param text - a JSON number (RFC 8259 §6) */
  constructor(text: string) {
    this.#text = text;
  }

  /** The number as it was written. */
  get text(): string {
    return this.#text;
  }

  /** The number by its value. */
  get decimal(): Decimal {
    this.#decimal ??= parseDecimal(this.#text);
    return this.#decimal;
  }

  toString(): string {
    return this.#text;
  }

  /** JSON.stringify would lose digits, so it is refused; use stringifyJson. */
  toJSON(): never {
    throw new TypeError(`JSON.stringify would change the number ${this.#text}; use stringifyJson`);
  }
}
