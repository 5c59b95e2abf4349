import { listItems } from '../../contract/list-pages.ts';
import { keptRole } from '../../contract/resources.ts';
import { findLimitMaximum } from '../../contract/list-parameters.ts';
import { isRefused, notAsked, unexpectedAnswer, plainRefused, unspecified, unsettled } from '../probing.ts';
import { choices, type ProbeExchange, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `limit-above-maximum`: the response of a list to a limit above the maximum of its parameter. */
export const limitAboveMaximum: Behaviour<'limit-above-maximum'> = {
  id: 'limit-above-maximum',
  question: 'What happens when the limit of a list is above its maximum?',
  isOfResources: true,
  ...choices<'limit-above-maximum'>([
    ['refuse', 'the request is refused', 'The request is refused, as its parameter is not valid.'],
    ['clamp', 'the maximum is used', 'The maximum is used instead.'],
  ]),
  documentValue: (operation) =>
    keptRole(operation)?.kind === 'list' && findLimitMaximum(operation) !== undefined
      ? unspecified
      : notAsked('the operation has no limit with a maximum'),
  probe: { mostRequests: 6, needsTaken: false, ask },
};

/** Requests the maximum number of items, and one more. */
async function ask({ operation, items }: ProbeSession): Probed<'limit-above-maximum'> {
  const role = keptRole(operation);
  const limit = findLimitMaximum(operation);
  if (role === undefined || limit === undefined) return notAsked('it has no limit with a maximum');
  const { maximum, name } = limit;
  const place = { resource: role.resource, collection: await items.collection(role.resource) };
  const of = (count: number): Promise<ProbeExchange> =>
    items.send(operation, place, { query: [`${encodeURIComponent(name)}=${count}`] });
  const most = await of(maximum);
  if (!most.isAccepted) return plainRefused(most);
  const more = await of(maximum + 1);
  if (isRefused(more)) return { kind: 'answer', answer: 'refuse' };
  if (!more.isAccepted) return unexpectedAnswer('a limit above the maximum', more);
  return listItems(operation, more.received).length > maximum
    ? unsettled('more items than the maximum are shown, which is none of the answers')
    : { kind: 'answer', answer: 'clamp' };
}
