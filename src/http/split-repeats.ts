/** A stretch of bytes: as it is, or a few bytes over and over. */
export type Stretch =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'repeat'; readonly unit: Uint8Array; readonly count: number };

const longestUnit = 16;
/** The bytes that a repeat has to save to be worth a command of its own. */
const shortestRepeat = 128;

/** How many times the unit of this length at a place stands there, one after another. */
function countRepeats(bytes: Uint8Array, start: number, length: number): number {
  let end = start + length;
  while (end < bytes.length && bytes[end] === bytes[end - length]) {
    end += 1;
  }
  return Math.floor((end - start) / length);
}

function repeatAt(bytes: Uint8Array, start: number): (Stretch & { kind: 'repeat' }) | undefined {
  for (let length = 1; length <= longestUnit && start + 2 * length <= bytes.length; length += 1) {
    const count = countRepeats(bytes, start, length);
    if (count > 1 && count * length >= shortestRepeat) {
      return { kind: 'repeat', unit: bytes.subarray(start, start + length), count };
    }
  }
  return undefined;
}

/**
 * Finds the long stretches of bytes in which up to 16 bytes repeat, the shortest unit first.
 *
 * @returns the stretches in order; together they are the bytes
 */
export function splitRepeats(bytes: Uint8Array): Stretch[] {
  const stretches: Stretch[] = [];
  let plainFrom = 0;
  let position = 0;
  while (position < bytes.length) {
    const repeat = repeatAt(bytes, position);
    if (repeat === undefined) {
      position += 1;
      continue;
    }
    if (position > plainFrom) {
      stretches.push({ kind: 'bytes', bytes: bytes.subarray(plainFrom, position) });
    }
    stretches.push(repeat);
    position += repeat.unit.length * repeat.count;
    plainFrom = position;
  }
  if (plainFrom < bytes.length) {
    stretches.push({ kind: 'bytes', bytes: bytes.subarray(plainFrom) });
  }
  return stretches;
}
