import { listItems } from '../../contract/list-pages.ts';
import { keptRole } from '../../contract/resources.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { notAsked, unexpectedAnswer, unspecified, unsettled } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `missing-parent`: the responses below a missing item. */
export const missingParent: Behaviour<'missing-parent'> = {
  id: 'missing-parent',
  question: 'What happens below an item that does not exist?',
  isOfResources: true,
  ...choices<'missing-parent'>([
    ['not-found', 'it is not found', 'Everything below it is not found.'],
    ['empty-list', 'lists are empty', 'A list is empty, and everything else is not found.'],
    ['create', 'lists are empty, and items can be created', 'A list is empty, and an item can be created.'],
  ]),
  documentValue(operation) {
    const role = keptRole(operation);
    return (role?.kind === 'list' || role?.kind === 'create') && role.resource.parent !== undefined
      ? unspecified
      : notAsked('the operation neither lists nor creates below an item');
  },
  probe: { mostRequests: 10, needsTaken: false, ask },
};

/** Sends a list and a create below an item that never existed. */
async function ask({ operation, items }: ProbeSession): Probed<'missing-parent'> {
  const { resource } = keptRole(operation) ?? {};
  if (resource === undefined) return notAsked('it has no item above it');
  const collection = await items.missingCollection(resource);
  const lister = items.operation(resource, 'list');
  const listed = lister && (await items.send(lister, { resource, collection }));
  const created = items.operation(resource, 'create')
    ? await items.tryMake(resource, { below: collection })
    : undefined;
  if (created?.exchange.isAccepted === true) return { kind: 'answer', answer: 'create' };
  const unusual = [created?.exchange, listed].find(
    (each) => each && !each.isAccepted && !isAbsentStatus(each.status),
  );
  if (unusual !== undefined) return unexpectedAnswer('what lies below an unknown item', unusual);
  if (lister === undefined || listed === undefined) {
    return { kind: 'answer', answer: 'not-found', alike: ['empty-list'] };
  }
  if (isAbsentStatus(listed.status)) return { kind: 'answer', answer: 'not-found' };
  return listItems(lister, listed.received).length > 0
    ? unsettled('a list below an unknown item is not empty')
    : { kind: 'answer', answer: 'empty-list', alike: created === undefined ? ['create'] : [] };
}
