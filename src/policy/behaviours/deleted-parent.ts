import { idText } from '../../contract/list-pages.ts';
import { clientIdProperty } from '../../contract/request-facts.ts';
import { findExactResponse } from '../../contract/responses.ts';
import { findChildren } from '../../contract/relations.ts';
import { isRefused, notAsked, unexpectedAnswer, refusalOf, unsettled } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `deleted-parent`: the effect of a DELETE on the items below the deleted one. */
export const deletedParent: Behaviour<'deleted-parent'> = {
  id: 'deleted-parent',
  question: 'What happens to the items below one that is deleted?',
  isOfResources: true,
  ...choices<'deleted-parent'>([
    ['cascade', 'they are deleted with it', 'They are deleted too.'],
    ['refuse', '409 while there are any', 'The request is refused with 409 while there are any.'],
    ['keep', 'they stay', 'They stay where they are.'],
  ]),
  // A declared 409 (RFC 9110 §15.5.10) may also be for a precondition.
  documentValue(operation, { operations }) {
    if (findChildren(operation, operations).length === 0) {
      return notAsked('the operation deletes no item that others are below');
    }
    const settledBy =
      'OpenAPI has no words for it; 409 would have to be declared, and x-cloche-policy say the rest';
    return findExactResponse(operation, 409) === undefined
      ? { kind: 'open', settledBy }
      : { kind: 'open', says: 'It declares 409, and not what for', settledBy };
  },
  declare: ({ answer }) => ({
    additions: answer === 'refuse' ? [refusalOf(409, 'There are items below it.')] : [],
    answer,
  }),
  probe: { mostRequests: 15, needsTaken: false, ask },
};

/** Deletes an item with another below it, both created for the probe. */
async function ask({ operation, contract, items }: ProbeSession): Probed<'deleted-parent'> {
  const { operations } = contract;
  const [below] = findChildren(operation, operations).filter(
    (child) => items.operation(child, 'create') !== undefined,
  );
  if (below === undefined) return unsettled('no operation creates what lies below its items');
  const { child, parent } = await items.makeBelow(below);
  const deleted = await items.send(operation, parent);
  if (!deleted.isAccepted) {
    return isRefused(deleted) && (await items.show(child)) !== undefined
      ? { kind: 'answer', answer: 'refuse' }
      : unexpectedAnswer('deleting an item that others are below', deleted);
  }
  if ((await items.show(child)) !== undefined) return { kind: 'answer', answer: 'keep' };
  // Below a missing item nothing may be shown, though it is there. It reappears with an item of the same id.
  const maker = items.operation(parent.resource, 'create');
  if (maker === undefined || clientIdProperty(maker) === undefined)
    return { kind: 'answer', answer: 'cascade' };
  const { item: again } = await items.tryMake(parent.resource, {
    below: parent.collection,
    change: () => parent.body,
  });
  const isSame = again !== undefined && idText(again.id) === idText(parent.id);
  return isSame && (await items.show(child)) !== undefined
    ? { kind: 'answer', answer: 'keep', seen: 'an item below it reappears when it is created again' }
    : { kind: 'answer', answer: 'cascade' };
}
