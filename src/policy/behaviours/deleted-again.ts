import { keptRole } from '../../contract/resources.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { notAsked, unexpectedAnswer, plainRefused, readIfMatch, unspecified } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `deleted-again`: the response to DELETE for a deleted item (RFC 9110 §9.3.5). */
export const deletedAgain: Behaviour<'deleted-again'> = {
  id: 'deleted-again',
  question: 'What happens when an item is deleted that does not exist any more?',
  isOfResources: true,
  ...choices<'deleted-again'>([
    ['not-found', 'it is not found', '404, or what the document declares for that.'],
    ['success', 'the same success as before', 'The success that the first one got.'],
  ]),
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const role = keptRole(operation);
    return role?.kind === 'delete' && role.resource.kind === 'collection'
      ? (readIfMatch(operation, 'not-found' as const) ?? unspecified)
      : notAsked('the operation deletes no item');
  },
  probe: { mostRequests: 8, needsTaken: false, ask },
};

/** Deletes an item twice that was created for the probe. */
async function ask({ operation, items }: ProbeSession): Probed<'deleted-again'> {
  const role = keptRole(operation);
  if (role?.kind !== 'delete') return notAsked('it deletes no item');
  const made = await items.make(role.resource);
  const first = await items.send(operation, made);
  if (!first.isAccepted) return plainRefused(first);
  const second = await items.send(operation, made);
  if (isAbsentStatus(second.status)) return { kind: 'answer', answer: 'not-found' };
  return second.isAccepted
    ? { kind: 'answer', answer: 'success' }
    : unexpectedAnswer('a second DELETE', second);
}
