import type { Shard } from '../events/events.ts';

/**
 * Returns the members of one shard, in their order. Shards have about the same size, and members with the same key stay
 * in one shard. The result depends on nothing but the arguments: not on a seed, the time or the machine.
 */
export function pickShard<Member>(
  all: readonly Member[],
  { index, total }: Shard,
  { keyOf, sizeOf }: { readonly keyOf: (one: Member) => string; readonly sizeOf: (one: Member) => number },
): readonly Member[] {
  const units = new Map<string, { readonly members: Member[]; size: number }>();
  for (const one of all) {
    const unit = units.get(keyOf(one)) ?? { members: [], size: 0 };
    unit.members.push(one);
    unit.size += sizeOf(one);
    units.set(keyOf(one), unit);
  }
  // The largest first, each to the shard that is the smallest so far.
  const shards = Array.from({ length: total }, () => ({ members: new Set<Member>(), size: 0 }));
  for (const unit of [...units.values()].toSorted((left, right) => right.size - left.size)) {
    const smallest = shards.reduce((best, shard) => (shard.size < best.size ? shard : best));
    unit.members.forEach((one) => smallest.members.add(one));
    smallest.size += unit.size;
  }
  return all.filter((one) => shards[index - 1]?.members.has(one));
}
