import { type KeyStyle, propertyStyle, spellId } from '../arbitrary/key-style.ts';
import type { KeyClass, KeyPlaceholder } from '../arbitrary/request-case.ts';
import type { Operation } from '../contract/contract.ts';
import { clientIdProperty } from '../contract/request-facts.ts';
import { findReadable } from '../http/codecs/registry.ts';
import type { IdContext } from './session.ts';

const int32 = 2n ** 32n;
const doubleLimit = 2n ** 53n;
const int64Max = 2n ** 63n - 1n;

function toLetters(value: bigint): string {
  let rest = value;
  let letters = '';
  do {
    letters = String.fromCharCode(97 + Number(rest % 26n)) + letters;
    rest /= 26n;
  } while (rest > 0n);
  return `key${letters.padStart(6, 'a')}`;
}

/** The id number of a serial number, by class. */
const numbers: Readonly<Record<KeyClass, (serial: bigint) => bigint>> = {
  plain: (serial) => serial,
  negative: (serial) => -serial,
  'past-int32': (serial) => int32 + serial,
  // One more than a multiple of four: this number and its lower neighbor are equal as doubles.
  'past-double': (serial) => doubleLimit + 4n * serial + 1n,
  'near-int64-max': (serial) => int64Max - serial,
  'near-int64-min': (serial) => -int64Max + serial,
  // Doubles are 2,048 apart there, so each serial number has a different one.
  'past-int64': (serial) => int64Max + 4096n * serial,
};

/** The distance of a colliding id from its original. */
const distances = { itself: 0n, 'double-collision': -1n, 'int32-collision': int32 } as const;

/**
 * Returns the id for a serial number from 1 to 2^31−1, as JSON text. Serial numbers stay distinct in every class, so a
 * fresh one gives a fresh id.
 */
export function keyText(serial: number, slot: KeyPlaceholder, style: KeyStyle): string {
  if (style === 'number' && slot.class === 'plain' && slot.variant === 'itself') return String(serial);
  const number = numbers[slot.class](BigInt(serial)) + distances[slot.variant];
  if (typeof style === 'function') return JSON.stringify(style(Number(BigInt.asUintN(31, number))));
  switch (style) {
    case 'number':
      return String(number);
    case 'digits':
      return `"${number}"`;
    case 'uuid':
      return `"00000000-0000-4000-8000-${(number < 0n ? -number : number).toString(16).padStart(12, '0').slice(-12)}"`;
    case 'text': {
      const letters = toLetters(number < 0n ? -number * 2n + 1n : number * 2n);
      return JSON.stringify(slot.spelling === undefined ? letters : spellId(letters, slot.spelling));
    }
  }
}

/** Returns the serial number for a placeholder, which may be that of the last context above. */
export function serialOf(keys: IdContext, { slot, isOfAbove = false }: KeyPlaceholder): number {
  return ((isOfAbove ? keys.above?.at(-1) : undefined) ?? keys).serial(slot);
}

/** Returns the id for a placeholder in a request to an operation, as JSON text. */
export function slotText(slot: KeyPlaceholder, keys: IdContext, operation: Operation | undefined): string {
  return keyText(serialOf(keys, slot), slot, keyStyle(operation));
}

/** Allocates serial numbers, each once. */
export interface KeyAllocator {
  next(): number;
  /** Returns a number far from those of next(), to repeat a check if an id may already exist. */
  nextFar(): number;
  /** The first and the last number that it can allocate. */
  readonly range: readonly [from: number, to: number];
}

/** Spreads the bits of a small number over 32 (the last step of MurmurHash3). */
function scatter(count: number): number {
  let bits = Math.imul(count, 0x9e_37_79_b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Allocates the numbers of an inclusive range within 1 to 2^31−1, ascending; at its end it starts again. */
export function createKeyAllocator(range: readonly [from: number, to: number]): KeyAllocator {
  const [from, to] = range;
  const size = to - from + 1;
  const far = Math.floor(size / 2);
  const farKeys = new Set<number>();
  let used = 0;
  let draws = 0;
  return {
    range,
    next() {
      used += 1;
      return from + ((used - 1) % size);
    },
    nextFar() {
      // A live store may contain every second number, or those of one day. Consecutive numbers from here share no other
      // property.
      let key = from;
      do {
        draws += 1;
        key = from + far + (scatter(draws) % (size - far));
      } while (farKeys.has(key) && farKeys.size < size - far);
      farKeys.add(key);
      return key;
    },
  };
}

const known = new WeakMap<Operation, KeyStyle>();

/** Returns the form of the id of a create, as declared by the schema of its body. Cached for each operation. */
export function keyStyle(operation: Operation | undefined): KeyStyle {
  if (operation === undefined) return 'number';
  const style = known.get(operation) ?? findStyle(operation);
  known.set(operation, style);
  return style;
}

function findStyle(operation: Operation): KeyStyle {
  const property = clientIdProperty(operation);
  if (property === undefined) return 'number';
  const body = findReadable(operation.requestBody?.media)?.schema?.schema;
  return propertyStyle(body, property);
}
