import type { Boundary, LengthUnit } from '../../check/boundary.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import { type Bracket, bisect } from './bisect.ts';
import { gallop } from './gallop.ts';
import type { Prober } from './prober.ts';
import type { Verdict } from './verdict.ts';

/** What is searched at one place. */
interface LengthSearch {
  readonly prober: Pick<Prober, 'put' | 'putAgain'>;
  readonly place: JsonPointer;
}

function createTextProbe({ prober, place }: LengthSearch): (text: string) => Promise<Verdict> {
  return async (text) => (await prober.put(place, text)).verdict;
}

/**
 * Whether the texts next to a limit are taken before it and refused past it, so that it is one.
 *
 * @param base - a length that is known to be taken
 */
async function isLimit({ taken, refused }: Bracket, base: bigint, search: LengthSearch): Promise<boolean> {
  const probe = createTextProbe(search);
  const step = refused - taken;
  const beyond = [refused, refused + step, refused + 2n * step].filter((length) => length >= 0n);
  const within = [taken, taken - step, taken - 2n * step].filter((length) =>
    step > 0n ? length >= base : length <= base,
  );
  for (const length of within) {
    if ((await probe('a'.repeat(Number(length)))) !== 'taken') {
      return false;
    }
  }
  for (const length of beyond) {
    // Other keys, so that no single one explains the refusal.
    const { verdict } = await search.prober.putAgain(search.place, 'a'.repeat(Number(length)));
    if (verdict === 'taken') {
      return false;
    }
  }
  return true;
}

/** Whether texts of a character that counts twice in a unit end at half the limit. */
async function countsTwice(character: string, limit: number, search: LengthSearch): Promise<boolean> {
  const probe = createTextProbe(search);
  const half = Math.floor(limit / 2);
  return (
    half > 0 &&
    (await probe(character.repeat(half))) === 'taken' &&
    (await probe(character.repeat(half + 1))) === 'refused'
  );
}

/** Finds out by texts past ASCII what a limit counts: é has two bytes in UTF-8, and 😀 two units of UTF-16. */
async function findUnit(limit: number, search: LengthSearch): Promise<LengthUnit> {
  const probe = createTextProbe(search);
  if ((await probe('é'.repeat(limit))) === 'refused') {
    return (await countsTwice('é', limit, search)) ? 'bytes' : 'unknown';
  }
  if ((await probe('😀'.repeat(limit))) === 'refused') {
    return (await countsTwice('😀', limit, search)) ? 'utf-16' : 'unknown';
  }
  const areRefused = (await probe('😀'.repeat(limit + 1))) === 'refused';
  return areRefused ? 'code-points' : 'unknown';
}

/**
 * Finds the greatest length of a text that a service takes.
 *
 * @param input.taken - the length of a text of the letter a that is taken
 * @param input.longest - a length that may be refused
 */
export async function findGreatestLength(
  input: LengthSearch & { readonly taken: number; readonly longest: number },
): Promise<Boundary | undefined> {
  const { place, taken, longest } = input;
  const probeText = createTextProbe(input);
  const probe = (length: bigint): Promise<Verdict> => probeText('a'.repeat(Number(length)));
  if (longest <= taken || (await probe(BigInt(longest))) !== 'refused') {
    return undefined;
  }
  const near = await gallop({ taken: BigInt(taken), refused: BigInt(longest) }, probe);
  const bracket = near && (await bisect(near, probe));
  if (bracket === undefined || !(await isLimit(bracket, BigInt(taken), input))) {
    return undefined;
  }
  const accepted = Number(bracket.taken);
  return { what: 'length', place, accepted, refused: accepted + 1, unit: await findUnit(accepted, input) };
}

/**
 * Finds the least length of a text that a service takes, where it refuses an empty one.
 *
 * @param input.taken - the length of a text of the letter a that is taken
 */
export async function findLeastLength(
  input: LengthSearch & { readonly taken: number },
): Promise<Boundary | undefined> {
  const { place, taken } = input;
  const probeText = createTextProbe(input);
  const probe = (length: bigint): Promise<Verdict> => probeText('a'.repeat(Number(length)));
  if ((await probe(0n)) !== 'refused') {
    return undefined;
  }
  // A single character is what is asked for most.
  const one = await probe(1n);
  const bracket =
    one === 'taken'
      ? { taken: 1n, refused: 0n }
      : await bisect({ taken: BigInt(taken), refused: one === 'refused' ? 1n : 0n }, probe);
  if (bracket === undefined || !(await isLimit(bracket, BigInt(taken), input))) {
    return undefined;
  }
  const accepted = Number(bracket.taken);
  if (accepted === 1 && (await probeText(' ')) === 'refused' && (await probeText('a ')) === 'taken') {
    return { what: 'blank', place, accepted: 'a', refused: '' };
  }
  return { what: 'length', place, accepted, refused: accepted - 1, unit: 'unknown' };
}
