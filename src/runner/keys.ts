import type { KeyClass, KeyPlaceholder } from '../arbitrary/request-case.ts';
import type { Operation } from '../contract/contract.ts';
import { isJsonObject } from '../json/value.ts';
import { schemaProperties } from '../schema/properties.ts';
import { schemaTypes } from '../schema/walk.ts';

/** What kind of text a key is. */
type KeyStyle = 'number' | 'text' | 'uuid';

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

function toNumber(serial: bigint, keyClass: KeyClass): bigint {
  switch (keyClass) {
    case 'plain':
      return serial;
    case 'negative':
      return -serial;
    case 'past-int32':
      return int32 + serial;
    case 'past-double':
      // One more than a multiple of four: it and the neighbour below it are one double.
      return doubleLimit + 4n * serial + 1n;
    case 'near-int64-max':
      return int64Max - serial;
    case 'near-int64-min':
      return -int64Max + serial;
    case 'past-int64':
      // Doubles are 2,048 apart there: each serial has one of its own.
      return int64Max + 4096n * serial;
  }
}

function toTwin(number: bigint, variant: KeyPlaceholder['variant']): bigint {
  switch (variant) {
    case 'itself':
      return number;
    case 'double-twin':
      return number - 1n;
    case 'int32-twin':
      return number + int32;
  }
}

/**
 * The key of a serial number from 1 to 2^31−1, as JSON text. Every class of numbers keeps serials apart, so a fresh
 * serial gives a fresh key.
 */
export function keyText(serial: number, slot: KeyPlaceholder, style: KeyStyle): string {
  if (style === 'number' && slot.class === 'plain' && slot.variant === 'itself') return String(serial);
  const number = toTwin(toNumber(BigInt(serial), slot.class), slot.variant);
  switch (style) {
    case 'number':
      return String(number);
    case 'uuid':
      return `"00000000-0000-4000-8000-${(number < 0n ? -number : number).toString(16).padStart(12, '0').slice(-12)}"`;
    case 'text':
      return `"${toLetters(number < 0n ? -number * 2n + 1n : number * 2n)}"`;
  }
}

/** Gives out serial numbers, each once. */
export interface KeyAllocator {
  next(): number;
  /** A number far from those that next() gives, for a second opinion on a key that may exist. */
  nextFar(): number;
  /** The first and the last number that it can give out. */
  readonly range: readonly [from: number, to: number];
}

/** Spreads the bits of a small number over 32 (the last step of MurmurHash3). */
function scatter(count: number): number {
  let bits = Math.imul(count, 0x9e_37_79_b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Gives out the keys of an inclusive range within 1 to 2^31−1, ascending; at its end it starts again. */
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
      // A live store may hold every second number, or those of one day: what is near in time is to have nothing
      // else in common.
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

/** The kind of text that the key of a create is, as the schema of its body says; found out once for each operation. */
export function keyStyle(operation: Operation | undefined): KeyStyle {
  if (operation === undefined) return 'number';
  const style = known.get(operation) ?? findStyle(operation);
  known.set(operation, style);
  return style;
}

function findStyle(operation: Operation): KeyStyle {
  if (operation.kind.kind !== 'create' || operation.kind.key.kind !== 'client') return 'number';
  const body = operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  const schema = schemaProperties(body).get(operation.kind.key.property)?.schema ?? true;
  const types = schemaTypes(schema);
  if (types.has('integer') || types.has('number') || types.size === 0) return 'number';
  return isJsonObject(schema) && schema['format'] === 'uuid' ? 'uuid' : 'text';
}
