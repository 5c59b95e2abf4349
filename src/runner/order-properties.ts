import type { Property } from './suite.ts';

/** A property that can be ordered. */
interface Ordered {
  readonly planned: { readonly suite: string; readonly property: Pick<Property, 'id' | 'sendsTogether'> };
}

/**
 * Orders properties so that each kind of case is tried with one operation before any is tried with the next operation:
 * most faults concern one kind with all operations, or one operation with all kinds. The first operation is another one
 * for each kind. Those that send requests together come last, because their findings are harder to follow.
 */
export function orderByKind<One extends Ordered>(all: readonly One[]): readonly One[] {
  const kinds = new Map<string, One[]>();
  for (const one of all) {
    const { suite, property } = one.planned;
    const kind = `${suite}/${kindOf(property.id)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const turned = [...kinds.values()].map((members, index) => {
    const start = index % members.length;
    return [...members.slice(start), ...members.slice(0, start)];
  });
  const rounds = Math.max(0, ...turned.map((members) => members.length));
  const ordered = [...Array(rounds).keys()].flatMap((round) =>
    turned.flatMap((members) => members[round] ?? []),
  );
  const isTogether = ({ planned }: One): boolean => planned.property.sendsTogether === true;
  return [...ordered.filter((one) => !isTogether(one)), ...ordered.filter(isTogether)];
}

/** Returns the part of an id after that of its operation: `plain` of `createOrder.plain`. */
const kindOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);
