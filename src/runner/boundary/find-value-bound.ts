import { type Bracket, bisect, type NumberProbe } from './bisect.ts';
import { notableNumbers } from './notable-numbers.ts';
import type { Verdict } from './verdict.ts';

/** How far from a notable number keys of an earlier run may have made the edge of what is taken look ragged. */
const raggedness = 4n;

function isBetween(number: bigint, { taken, refused }: Bracket): boolean {
  return (taken < number && number < refused) || (refused < number && number < taken);
}

/** Narrows a bracket to two notable numbers, and to neighbours where the limit is at one of them. */
async function narrowByNotables(bracket: Bracket, probe: NumberProbe): Promise<Bracket | undefined> {
  let { taken, refused } = bracket;
  for (;;) {
    const left = notableNumbers.filter((number) => isBetween(number, { taken, refused }));
    const middle = left[Math.floor(left.length / 2)];
    if (middle === undefined) {
      break;
    }
    const verdict = await probe(middle);
    if (verdict === 'unclear') {
      return undefined;
    }
    taken = verdict === 'taken' ? middle : taken;
    refused = verdict === 'refused' ? middle : refused;
  }
  const step = refused > taken ? 1n : -1n;
  for (const number of [taken + step, refused - step]) {
    if (isBetween(number, { taken, refused })) {
      const verdict = await probe(number);
      if (verdict === 'unclear') {
        return undefined;
      }
      taken = verdict === 'taken' ? number : taken;
      refused = verdict === 'refused' ? number : refused;
    }
  }
  return { taken, refused };
}

/**
 * The notable number that keys of earlier runs may hide, at the edge of what is taken or a little past it. Downwards
 * it is none above one: there lie the keys of a store that counts them.
 */
function nearestNotable({ taken, refused }: Bracket): bigint | undefined {
  const distance = (number: bigint): bigint => (number - taken) * (refused - taken);
  return notableNumbers
    .filter((number) => distance(number) >= 0n && distance(number) < raggedness)
    .filter((number) => refused > taken || number <= 1n)
    .toSorted((left, right) => (distance(left) < distance(right) ? -1 : 1))[0];
}

/**
 * Finds the two neighbours between which whole numbers begin to be refused, to the last digit.
 *
 * @param input.isVague - whether a refusal may as well mean that the number is a key that exists: then only a
 * limit at a notable number is believed, as keys lie anywhere
 * @param input.draw - a number within a bracket, another one each time
 * @returns undefined where an answer was unclear, or where what is refused is no range
 */
export async function findValueBound(input: {
  readonly bracket: Bracket;
  readonly probe: NumberProbe;
  readonly isVague: boolean;
  readonly draw: (bracket: Bracket) => bigint;
}): Promise<Bracket | undefined> {
  const { bracket, isVague, draw } = input;

  /** A number that is taken past one that is refused says that the refused one is a key that exists. */
  async function probe(number: bigint): Promise<Verdict> {
    const verdict = await input.probe(number);
    const further = { taken: number, refused: bracket.refused };
    if (verdict !== 'refused' || !isVague || number === bracket.refused) {
      return verdict;
    }
    const others = [
      draw(further),
      draw({ taken: number, refused: number + (bracket.refused > number ? 9n : -9n) }),
    ];
    const verdicts = await Promise.all(
      others.filter((other) => isBetween(other, further)).map((other) => input.probe(other)),
    );
    return verdicts.includes('taken') ? 'taken' : 'refused';
  }

  if ((await probe(bracket.taken)) !== 'taken' || (await probe(bracket.refused)) !== 'refused') {
    return undefined;
  }
  const near = await narrowByNotables(bracket, probe);
  const found = near && (await bisect(near, probe));
  if (found === undefined) {
    return undefined;
  }
  const step = found.refused - found.taken;
  const limit = isVague ? nearestNotable(found) : found.taken;
  if (limit === undefined) {
    return undefined;
  }
  const beyond = { taken: limit + step, refused: bracket.refused };
  const within = { taken: limit, refused: bracket.taken };
  if ((await probe(limit + step)) !== 'refused') {
    return undefined;
  }
  // Some may be past what the document allows, so that they are not sent.
  for (const number of [limit + 2n * step, limit + 3n * step, draw(beyond), draw(beyond)]) {
    if ((await probe(number)) === 'taken') {
      return undefined;
    }
  }
  // Where a refusal may mean a key that exists, those of this very run lie within, and say nothing.
  const inside = isVague ? [] : [draw(within), draw(within)].filter((number) => isBetween(number, within));
  for (const number of inside) {
    if ((await probe(number)) !== 'taken') {
      return undefined;
    }
  }
  return { taken: limit, refused: limit + step };
}
