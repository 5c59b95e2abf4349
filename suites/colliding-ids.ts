import { type Cases, type KeyPlaceholder, noCases, type RequestCase } from '../src/arbitrary/request-case.ts';
import { collidingIdsCheck, whyCollisionsUnchecked } from '../src/check/checks/sequence.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import {
  examplesOnly,
  type KeyedOperation,
  planKeys,
  type PlannedKey,
  requestWithKey,
  type Sequence,
  sequenceProperty,
} from './property.ts';

/** Pairs of colliding ids, by the class that the id must have. */
const pairs = [
  {
    past: 'past-double',
    name: 'double-twins',
    title: 'Two ids that differ only past 2^53 are different',
    itself: { slot: 0, class: 'past-double', variant: 'itself' },
    collision: { slot: 0, class: 'past-double', variant: 'double-collision' },
  },
  {
    past: 'past-int32',
    name: 'int32-twins',
    title: 'Two ids that differ only past 32 bits are different',
    itself: { slot: 0, class: 'plain', variant: 'itself' },
    collision: { slot: 0, class: 'plain', variant: 'int32-collision' },
  },
] as const;

function casesOf(target: KeyedOperation, pair: (typeof pairs)[number]): Cases<Sequence> {
  const { body } = target;
  const send = (value: JsonValue, slot: KeyPlaceholder): RequestCase => requestWithKey(target, value, slot);
  // New pairs in the other order show that each id, with its body, is accepted when it comes first. A repeated id shows
  // the effect of a collision.
  const bothOrders = (one: JsonValue, other: JsonValue): Sequence => [
    [send(one, pair.itself), send(other, pair.collision)],
    [send(other, pair.collision), send(one, pair.itself)],
    [send(one, pair.itself), send(one, pair.itself)],
  ];
  // Only the ids matter. Other bodies would show nothing more.
  return examplesOnly([
    bothOrders(body.smallest, body.fullest),
    bothOrders(body.fullest, body.smallest),
    bothOrders(body.smallest, body.smallest),
  ]);
}

function propertiesOf({ operation, classes, late }: PlannedKey): readonly Property[] {
  const possible = pairs.filter(({ past }) => classes.has(past));
  return possible.flatMap((pair) =>
    sequenceProperty({
      operation,
      name: pair.name,
      title: pair.title,
      cases: late(
        3,
        (target) => (target.key.classes.has(pair.past) ? casesOf(target, pair) : noCases),
        false,
      ),
      mostRequests: 6,
      traceChecks: [collidingIdsCheck.judgeTrace],
      whyUnchecked: whyCollisionsUnchecked,
    }),
  );
}

/** Ids that differ in the document, and collide in a service that loses digits or bits. */
export const collidingIds: Suite = {
  id: 'twin-keys',
  title: 'Nearly equal ids',
  plan: ({ contract }) =>
    planKeys(contract, propertiesOf, 'no operation lets the client choose a number past 32 bits as the id'),
};
