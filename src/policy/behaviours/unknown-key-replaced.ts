import { keptRole } from '../../contract/resources.ts';
import { findExactResponse } from '../../contract/responses.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { notAsked, unexpectedAnswer, plainRefused, readIfMatch, unsettled } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `unknown-key-replaced`: the effect of PUT on a missing item (RFC 9110 §9.3.4). */
export const unknownKeyReplaced: Behaviour<'unknown-key-replaced'> = {
  id: 'unknown-key-replaced',
  question: 'What happens when an item is replaced that does not exist?',
  isOfResources: true,
  ...choices<'unknown-key-replaced'>([
    ['not-found', 'it is not found', '404, or what the document declares for that.'],
    ['create', 'it is created under that id', 'It is created under the id in the request.'],
  ]),
  isDecidedByOpenApi: true,
  documentValue(operation) {
    const role = keptRole(operation);
    if (role?.kind !== 'replace' || role.resource.kind === 'singleton') {
      return notAsked('the operation replaces no item');
    }
    const matched = readIfMatch(operation, 'not-found' as const);
    if (matched !== undefined) return matched;
    const created = findExactResponse(operation, 201);
    if (created !== undefined) {
      return { kind: 'answered', pointer: created.pointer, says: 'It declares 201', answer: 'create' };
    }
    const says = 'No other operation creates its items';
    return role.creates
      ? { kind: 'answered', pointer: operation.pointer, says, answer: 'create' }
      : { kind: 'open', settledBy: 'The operation would have to declare 201, for an item that it creates' };
  },
  probe: { mostRequests: 12, needsTaken: false, ask },
};

/** Sends PUT with an id that was never issued. */
async function ask({ operation, items }: ProbeSession): Probed<'unknown-key-replaced'> {
  const role = keptRole(operation);
  if (role?.kind !== 'replace') return notAsked('it replaces no item');
  const made = await items.make(role.resource);
  const control = await items.send(operation, made, { body: made.body });
  if (!control.isAccepted) return plainRefused(control);
  const unknown = await items.unknown(made);
  const { key } = role.resource;
  const isSent = key.kind !== 'none' && Object.hasOwn(made.body, key.property);
  const body = isSent ? { ...made.body, [key.property]: unknown.id } : made.body;
  const put = await items.send(operation, unknown, { body });
  if (isAbsentStatus(put.status)) return { kind: 'answer', answer: 'not-found' };
  if (!put.isAccepted) return unexpectedAnswer('PUT under an unknown id', put);
  items.note(unknown);
  return (await items.show(unknown)) === undefined
    ? unsettled(`PUT under an unknown id is answered ${put.status}, and nothing is there then`)
    : { kind: 'answer', answer: 'create' };
}
