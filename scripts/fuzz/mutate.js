/**
 * @typedef {object} Random
 * @property {(below: number) => number} below - A whole number from 0.
 * @property {<T>(values: readonly T[]) => T} pick
 */

/**
 * The same numbers for the same seed (xorshift32).
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const below = (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % most;
  };
  return { below, pick: (values) => values[below(values.length)] };
}

/**
 * Changes some bytes: flips, inserts, repeats, removes, cuts off, or puts in a word that readers stumble over.
 * @param {Buffer} bytes
 * @param {Random} random
 * @param {readonly string[]} words
 * @returns {Buffer}
 */
export function mutateBytes(bytes, random, words) {
  let changed = bytes;
  for (let often = 1 + random.below(4); often > 0; often -= 1) {
    const at = random.below(changed.length + 1);
    const to = Math.min(changed.length, at + 1 + random.below(20));
    const [head, part, tail] = [changed.subarray(0, at), changed.subarray(at, to), changed.subarray(to)];
    changed = random.pick([
      () => Buffer.concat([head, Buffer.from([random.below(256)]), changed.subarray(at)]),
      () => Buffer.concat([head, Buffer.from([random.below(256)]), tail]),
      () => Buffer.concat([head, tail]),
      () => head,
      () => Buffer.concat([head, part, part, part, tail]),
      () => Buffer.concat([head, Buffer.from(random.pick(words), 'latin1'), changed.subarray(at)]),
      () => Buffer.concat([head, Buffer.from(random.pick(words), 'latin1'), tail]),
    ])();
  }
  return changed;
}

const isNode = (value) => typeof value === 'object' && value !== null;

/** All places of a document, each as the object that holds it and its key. */
export function listPlaces(value, pointer = '#', places = []) {
  for (const key of Object.keys(value)) {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    places.push({ holder: value, key, pointer: place });
    if (isNode(value[key])) listPlaces(value[key], place, places);
  }
  return places;
}
