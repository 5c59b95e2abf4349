import { takesAnyQuery } from '../../contract/list-parameters.ts';
import { keptRole } from '../../contract/resources.ts';
import { isRefused, notAsked, unexpectedAnswer, plainRefused, unspecified } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `unknown-query-parameter`: the effect of a query parameter that a list does not declare. */
export const unknownQueryParameter: Behaviour<'unknown-query-parameter'> = {
  id: 'unknown-query-parameter',
  question: 'What happens to query parameters that a list does not declare?',
  isOfResources: true,
  ...choices<'unknown-query-parameter'>([
    ['ignore', 'they are ignored', 'They are ignored.'],
    ['refuse', 'the request is refused', 'The request is refused, as its parameters are not valid.'],
  ]),
  documentValue(operation) {
    if (keptRole(operation)?.kind !== 'list') return notAsked('the operation lists nothing');
    return takesAnyQuery(operation) ? notAsked('it declares parameters of any name') : unspecified;
  },
  probe: { mostRequests: 6, needsTaken: false, ask },
};

/** Sends a parameter that the document does not declare. */
async function ask({ operation, items }: ProbeSession): Probed<'unknown-query-parameter'> {
  const role = keptRole(operation);
  if (role === undefined) return notAsked('it lists nothing');
  const place = { resource: role.resource, collection: await items.collection(role.resource) };
  const plain = await items.send(operation, place);
  if (!plain.isAccepted) return plainRefused(plain);
  const unknown = await items.send(operation, place, { query: ['clocheProbe=1'] });
  if (isRefused(unknown)) return { kind: 'answer', answer: 'refuse' };
  return unknown.isAccepted
    ? { kind: 'answer', answer: 'ignore' }
    : unexpectedAnswer('a parameter that is not declared', unknown);
}
