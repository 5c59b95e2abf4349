import { idText } from '../../contract/list-pages.ts';
import { keptRole } from '../../contract/resources.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { notAsked, unspecified, unsettled, walkList } from '../probing.ts';
import {
  type BehaviourValues,
  choices,
  type ProbeSession,
  type Behaviour,
  type Probed,
} from '../behaviour.ts';

/** The behaviour `list-order`: the order of the items in a list. */
export const listOrder: Behaviour<'list-order'> = {
  id: 'list-order',
  question: 'In what order does a list show its items?',
  isOfResources: true,
  ...choices<'list-order'>([
    ['creation', 'in the order of creation', 'The oldest first.'],
    ['newest-first', 'the newest first', 'The newest first.'],
    ['key', 'in the order of their ids', 'By their ids, numbers by value and texts by their characters.'],
    ['any', 'in no order to count on', 'In no order that a client could count on.'],
  ]),
  documentValue(operation) {
    if (keptRole(operation)?.kind !== 'list') return notAsked('the operation lists nothing');
    const sort = findListMember(operation, 'sort');
    return isJsonObject(sort?.schema) && sort.schema['default'] !== undefined
      ? {
          kind: 'answered',
          pointer: sort.parameter.pointer,
          says: `Its parameter "${sort.name}" has a default`,
        }
      : unspecified;
  },
  probe: { mostRequests: 40, needsTaken: false, ask },
};

/** With this number of items, no order appears by chance. With fewer, two orders may look the same. */
const fewest = 6;
/** With this number of them, a page shows the order too. */
const fewestShown = 5;

/** Creates items one after the other, and reads the list. */
async function ask({ operation, items }: ProbeSession): Probed<'list-order'> {
  const role = keptRole(operation);
  if (role?.kind !== 'list') return notAsked('it lists nothing');
  const { resource } = role;
  const collection = await items.collection(resource);
  const made: JsonValue[] = [];
  while (made.length < fewest) made.push((await items.make(resource, collection)).id);
  const own = new Map(made.map((id, index) => [idText(id), index]));
  const shown = await walkList({ operation, items }, collection);
  // Creates of other clients may move an item to the next page.
  const order = [...new Set(shown.flatMap(({ id }) => own.get(idText(id)) ?? []))];
  if (order.length < fewestShown) return unsettled('the list does not show what was created just before');
  const byKey = order.toSorted((left, right) => compareIds(made[left] ?? null, made[right] ?? null));
  const creation = order.toSorted((left, right) => left - right);
  const orders: readonly (readonly [BehaviourValues['list-order'], readonly number[]])[] = [
    ['creation', creation],
    ['newest-first', creation.toReversed()],
    ['key', byKey],
  ];
  const [answer = 'any', ...alike] = orders.flatMap(([each, expected]) =>
    expected.every((index, place) => order[place] === index) ? [each] : [],
  );
  return { kind: 'answer', answer, alike };
}

/** Compares ids in the order of `key`: numbers by value, and texts by their characters. */
export function compareIds(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [one, two] = [idText(left), idText(right)];
  if (one === two) return 0;
  return one < two ? -1 : 1;
}
