import { repeatItem } from '../../arbitrary/repeat-item.ts';
import type { Boundary } from '../../check/boundary.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { type Bracket, bisect } from './bisect.ts';
import { gallop } from './gallop.ts';
import type { Prober } from './prober.ts';
import type { Verdict } from './verdict.ts';

/**
 * Finds how many items a list may have.
 *
 * @param input.list - a list that is taken
 * @param input.counts - numbers of items that were refused
 */
export async function findItemBoundaries(input: {
  readonly prober: Prober;
  readonly place: JsonPointer;
  readonly list: readonly JsonValue[];
  readonly counts: readonly number[];
}): Promise<readonly Boundary[]> {
  const { prober, place, list, counts } = input;
  const [item] = list;
  if (item === undefined) {
    return [];
  }
  const put = async (count: bigint, how: 'put' | 'putAgain'): Promise<Verdict> => {
    const [varied = [], equal = []] = repeatItem(item, Number(count));
    const probed = await prober[how](place, [...varied]);
    return probed.record === undefined ? (await prober[how](place, [...equal])).verdict : probed.verdict;
  };
  const probe = (count: bigint): Promise<Verdict> => put(count, 'put');
  const taken = BigInt(list.length);

  async function confirm(found: Bracket | undefined): Promise<readonly Boundary[]> {
    const isLimit =
      found !== undefined &&
      (await put(found.refused, 'putAgain')) === 'refused' &&
      (await put(found.taken, 'putAgain')) === 'taken';
    return isLimit
      ? [{ what: 'items', place, accepted: Number(found.taken), refused: Number(found.refused) }]
      : [];
  }

  const most = Math.max(...counts);
  const boundaries: Boundary[] = [];
  if (BigInt(most) > taken && (await probe(BigInt(most))) === 'refused' && (await probe(taken)) === 'taken') {
    const near = await gallop({ taken, refused: BigInt(most) }, probe);
    boundaries.push(...(await confirm(near && (await bisect(near, probe)))));
  }
  if (counts.includes(0) && (await probe(0n)) === 'refused' && (await probe(taken)) === 'taken') {
    boundaries.push(...(await confirm(await bisect({ taken, refused: 0n }, probe))));
  }
  return boundaries;
}
