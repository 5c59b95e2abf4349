import { ExactNumber, toJsonNumber } from './exact-number.ts';
import { appendPointer, type JsonPointer } from './pointer.ts';
import { type JsonObject, type JsonValue, setOwn } from './value.ts';

/** The code of a quotation mark. */
export const quote = 0x22;
const backslash = 0x5c;

/** Returns the offset of the closing quote of the string that begins at an offset. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** JSON.parse changes only numbers that have 16 digits or more, a fraction, an exponent, or are -0. */
const mostDigits = 15;

/** Returns whether JSON.parse may lose digits: whether the text has a number outside strings that it may change. */
export function mayLoseDigits(text: string): boolean {
  let digits = 0;
  let isNegative = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) {
      if (digits === mostDigits || (isNegative && code === 0x30)) return true;
      digits += 1;
      isNegative = false;
      continue;
    }
    // A fraction or an exponent: no other letter or dot can follow a digit.
    if (digits > 0 && (code === 0x2e || code === 0x65 || code === 0x45)) return true;
    digits = 0;
    isNegative = code === 0x2d;
    if (code === quote) {
      index = endOfString(text, index);
    }
  }
  return false;
}

const numberForm = /[-+.\deE]+/uy;

/** Parses a text known to be JSON with exact numbers, and records keys that occur twice. */
export function readExactly(
  text: string,
  keep: 'last' | 'first',
): { readonly value: JsonValue; readonly exact: boolean; readonly duplicateKeys: readonly JsonPointer[] } {
  const reader = new ExactReader(text, keep);
  const value = reader.readValue();
  const { exact, duplicateKeys } = reader;
  return { value, exact, duplicateKeys };
}

/** Reads a text known to be JSON, character by character. */
class ExactReader {
  readonly duplicateKeys: JsonPointer[] = [];
  /** Whether an exact number was read. */
  exact = false;
  readonly #text: string;
  readonly #keep: 'last' | 'first';
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, keep: 'last' | 'first') {
    this.#text = text;
    this.#keep = keep;
  }

  readValue(): JsonValue {
    switch (this.#peek()) {
      case 0x7b:
        return this.#readObject();
      case 0x5b:
        return this.#readArray();
      case quote:
        return this.#readString();
      case 0x74:
        this.#at += 4;
        return true;
      case 0x66:
        this.#at += 5;
        return false;
      case 0x6e:
        this.#at += 4;
        return null;
      default:
        return this.#readNumber();
    }
  }

  /** Returns the next character that is not white space (RFC 8259 §2). */
  #peek(): number {
    let at = this.#at;
    let code = this.#text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = this.#text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }

  #skip(): void {
    this.#peek();
    this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    this.#at = endOfString(this.#text, start) + 1;
    const plain = this.#text.slice(start + 1, this.#at - 1);
    // `as`: JSON.parse has the type `any`, and a JSON string is a string.
    return plain.includes('\\') ? (JSON.parse(this.#text.slice(start, this.#at)) as string) : plain;
  }

  #readNumber(): number | ExactNumber {
    const start = this.#at;
    let at = start;
    let integer = 0;
    let code = this.#text.charCodeAt(at);
    for (; code >= 0x30 && code <= 0x39; code = this.#text.charCodeAt(at)) {
      integer = integer * 10 + code - 0x30;
      at += 1;
    }
    const isInteger = code !== 0x2e && code !== 0x65 && code !== 0x45;
    if (at > start && at - start <= mostDigits && isInteger) {
      this.#at = at;
      return integer;
    }
    numberForm.lastIndex = start;
    const written = numberForm.exec(this.#text)?.[0] ?? '';
    this.#at = start + written.length;
    const number = toJsonNumber(written);
    this.exact ||= number instanceof ExactNumber;
    return number;
  }

  #readArray(): JsonValue[] {
    const items: JsonValue[] = [];
    this.#skip();
    for (let next = this.#peek(); next !== 0x5d; next = this.#peek()) {
      if (next === 0x2c) this.#skip();
      this.#path.push(items.length);
      items.push(this.readValue());
      this.#path.pop();
    }
    this.#skip();
    return items;
  }

  #readObject(): JsonObject {
    const result: JsonObject = {};
    this.#skip();
    for (let next = this.#peek(); next !== 0x7d; next = this.#peek()) {
      if (next === 0x2c) this.#skip();
      this.#peek();
      const key = this.#readString();
      this.#skip();
      this.#path.push(key);
      const repeated = Object.hasOwn(result, key);
      if (repeated) this.duplicateKeys.push(appendPointer('', ...this.#path));
      const value = this.readValue();
      if (!repeated || this.#keep === 'last') setOwn(result, key, value);
      this.#path.pop();
    }
    this.#skip();
    return result;
  }
}
