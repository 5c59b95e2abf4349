import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pickShard } from './shard.ts';

const member = fc.record({ key: fc.integer({ min: 0, max: 12 }), size: fc.integer({ min: 0, max: 1_000 }) });
const how = {
  keyOf: ({ key }: { readonly key: number }) => String(key),
  sizeOf: ({ size }: { readonly size: number }) => size,
  isAlone: ({ size }: { readonly size: number }) => size > 900,
};

function shardsOf(members: readonly { readonly key: number; readonly size: number }[], total: number) {
  return Array.from({ length: total }, (_, at) => pickShard(members, { index: at + 1, total }, how));
}

test('puts each member into one shard, in order, and all of a key into the same', () => {
  fc.assert(
    fc.property(fc.array(member), fc.integer({ min: 1, max: 7 }), (members, total) => {
      const shards = shardsOf(members, total);
      expect(new Set(shards.flat())).toEqual(new Set(members));
      expect(shards.flat()).toHaveLength(members.length);
      for (const shard of shards) {
        expect(shard).toEqual(members.filter((one) => shard.includes(one)));
        const keys = new Set(shard.map(({ key }) => key));
        expect(members.filter(({ key }) => keys.has(key))).toEqual(shard);
      }
    }),
  );
});

test('gives no shard more than its even part and the largest unit', () => {
  fc.assert(
    fc.property(fc.array(member, { minLength: 1 }), fc.integer({ min: 1, max: 7 }), (members, total) => {
      const sizeOf = (some: typeof members): number => some.reduce((sum, { size }) => sum + size, 0);
      const units = members.map(({ key }) => sizeOf(members.filter((one) => one.key === key)));
      for (const shard of shardsOf(members, total)) {
        expect(sizeOf([...shard])).toBeLessThanOrEqual(sizeOf(members) / total + Math.max(...units));
      }
    }),
  );
});

test('puts what runs alone into the last shard, if that begins after the others', () => {
  fc.assert(
    fc.property(fc.array(member), fc.integer({ min: 1, max: 5 }), (members, beside) => {
      const total = beside + 1;
      const shards = Array.from({ length: total }, (_, at) =>
        pickShard(members, { index: at + 1, total, isLastAlone: true }, how),
      );
      expect(shards.at(-1)).toEqual(members.filter(how.isAlone));
      expect(new Set(shards.flat())).toEqual(new Set(members));
      expect(shards.slice(0, -1)).toEqual(
        shardsOf(
          members.filter((one) => !how.isAlone(one)),
          beside,
        ),
      );
    }),
  );
});
