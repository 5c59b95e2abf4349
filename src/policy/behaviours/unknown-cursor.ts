import { idText, listItems } from '../../contract/list-pages.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { keptRole } from '../../contract/resources.ts';
import { schemaTypes } from '../../schema/walk.ts';
import { choices, type Behaviour, type Probed, type ProbeSession } from '../behaviour.ts';
import { isRefused, notAsked, plainRefused, unexpectedAnswer, unspecified, unsettled } from '../probing.ts';

/** The behaviour `unknown-cursor`: the response of a list to a cursor that it did not give. */
export const unknownCursor: Behaviour<'unknown-cursor'> = {
  id: 'unknown-cursor',
  question: 'What happens when a list gets a cursor that it did not give?',
  isOfResources: true,
  ...choices<'unknown-cursor'>([
    ['refuse', 'the request is refused', 'The request is refused, as its parameter is not valid.'],
    ['first-page', 'the first page is shown', 'The first page is shown, as without a cursor.'],
    ['empty', 'no item is shown', 'A page without items is shown.'],
  ]),
  documentValue(operation) {
    const cursor = keptRole(operation)?.kind === 'list' ? findListMember(operation, 'after') : undefined;
    return cursor !== undefined && schemaTypes(cursor.schema).has('string')
      ? unspecified
      : notAsked('the operation has no cursor that is a text');
  },
  probe: { mostRequests: 10, needsTaken: false, ask },
};

/** Sends a cursor that no list gives, to a list with an item. */
async function ask({ operation, items }: ProbeSession): Probed<'unknown-cursor'> {
  const role = keptRole(operation);
  const cursor = findListMember(operation, 'after');
  if (role === undefined || cursor === undefined) return notAsked('it has no cursor');
  const place = await items.make(role.resource);
  const first = await items.send(operation, { resource: role.resource, collection: place.collection });
  if (!first.isAccepted) return plainRefused(first);
  const query = [`${encodeURIComponent(cursor.name)}=clocheNoSuchCursor`];
  const unknown = await items.send(
    operation,
    { resource: role.resource, collection: place.collection },
    { query },
  );
  if (isRefused(unknown)) return { kind: 'answer', answer: 'refuse' };
  if (!unknown.isAccepted) return unexpectedAnswer('an unknown cursor', unknown);
  const [plainly, shown] = [first, unknown].map(({ received }) => listItems(operation, received));
  if (shown?.length === 0) return { kind: 'answer', answer: 'empty' };
  const isFirst = shown?.[0] !== undefined && idText(shown[0].id) === idText(plainly?.[0]?.id ?? null);
  return isFirst
    ? { kind: 'answer', answer: 'first-page' }
    : unsettled('other items than those of the first page are shown');
}
