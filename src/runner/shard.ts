import type { Shard } from '../events/events.ts';

/** How members are shared out. */
interface ShardRules<Member> {
  /** Returns a key; members with the same one stay in one shard. */
  readonly keyOf: (one: Member) => string;
  readonly sizeOf: (one: Member) => number;
  /** Returns whether no other member may run at the same time. */
  readonly isAlone: (one: Member) => boolean;
}

/**
 * Returns the members of one shard, in their order. Shards have about the same size, and members with the same key stay
 * in one shard. The result depends on nothing but the arguments: not on a seed, the time or the machine.
 */
export function pickShard<Member>(
  all: readonly Member[],
  { index, total, isLastAlone = false }: Shard,
  { keyOf, sizeOf, isAlone }: ShardRules<Member>,
): readonly Member[] {
  if (isLastAlone) {
    if (index === total) return all.filter(isAlone);
    const others = all.filter((one) => !isAlone(one));
    return pickShard(others, { index, total: total - 1 }, { keyOf, sizeOf, isAlone });
  }
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
