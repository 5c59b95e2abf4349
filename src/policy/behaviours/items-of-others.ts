import type { Operation } from '../../contract/contract.ts';
import { idText, listItems } from '../../contract/list-pages.ts';
import { keptRole } from '../../contract/resources.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { notAsked, plainRefused, unexpectedAnswer, unspecified, unsettled } from '../probing.ts';
import {
  choices,
  type Behaviour,
  type ProbeItem,
  type ProbeItems,
  type Probed,
  type ProbeSession,
} from '../behaviour.ts';
import { asksCredentials } from './credentials.ts';

/** The behaviour `items-of-others`: the responses to a second user for the items of the first. */
export const itemsOfOthers: Behaviour<'items-of-others'> = {
  id: 'items-of-others',
  question: 'What does a second user get for the items of the first?',
  isOfResources: true,
  ...choices<'items-of-others'>([
    ['visible', 'the second user gets them', 'The second user gets them like the first.'],
    [
      'hidden',
      'they do not exist for the second user (404)',
      'They do not exist for the second user: 404, and absent from lists.',
    ],
    [
      'forbidden',
      'the second user is refused (403)',
      'The second user is refused with 403; they are absent from lists.',
    ],
  ]),
  documentValue: (operation, { operations }) =>
    mayHaveOwners(operation, operations)
      ? unspecified
      : notAsked('it reads no item that a client creates with its credentials'),
  probe: { mostRequests: 20, needsTaken: false, ask },
};

/** Returns whether an operation reads items that may have owners: it and their create require credentials. */
export function mayHaveOwners(operation: Operation, operations: readonly Operation[]): boolean {
  const role = keptRole(operation);
  if (role?.kind !== 'read' || role.resource.kind !== 'collection' || !asksCredentials(operation))
    return false;
  return operations.some(
    (each) =>
      keptRole(each)?.resource.collection === role.resource.collection &&
      (each.kind.kind === 'create' || (each.kind.kind === 'replace' && each.kind.creates)) &&
      asksCredentials(each),
  );
}

/** Reads an item that the first user created as the second user, then tries what a leak would let through. */
async function ask({ operation, items, expected }: ProbeSession): Probed<'items-of-others'> {
  const role = keptRole(operation);
  if (role === undefined) return notAsked('it reads no item');
  if (!items.hasOtherUser) return unsettled('there is no second user: give one with users.other');
  const made = await items.make(role.resource);
  const own = await items.send(operation, made);
  if (!own.isAccepted) return plainRefused(own);
  const theirs = await items.send(operation, made, { user: 'other' });
  if (theirs.isAccepted) return { kind: 'answer', answer: 'visible' };
  if (theirs.status === 401) return unsettled('the credentials of users.other are rejected with 401');
  const isAbsent = isAbsentStatus(theirs.status);
  if (!isAbsent && theirs.status !== 403) return unexpectedAnswer('an item of another user', theirs);
  const leak = expected === 'visible' ? undefined : await findLeak(made, items);
  if (leak !== undefined) {
    return expected === undefined
      ? unsettled(`reading it is answered ${theirs.status}, but ${leak}`)
      : { kind: 'answer', answer: 'visible', seen: leak };
  }
  return { kind: 'answer', answer: isAbsent ? 'hidden' : 'forbidden' };
}

async function findLeak(made: ProbeItem, items: ProbeItems): Promise<string | undefined> {
  for (const kind of ['list', 'update', 'replace', 'delete'] as const) {
    const operation = items.operation(made.resource, kind);
    const body = kind === 'update' || kind === 'replace' ? { body: made.body } : {};
    const exchange = operation && (await items.send(operation, made, { user: 'other', ...body }));
    if (operation === undefined || exchange?.isAccepted !== true) continue;
    const listed = kind === 'list' ? listItems(operation, exchange.received) : [];
    if (listed.some(({ id }) => idText(id) === idText(made.id))) return 'a list shows it to the second user';
    // A service may delete and create what is missing.
    const creates = operation.kind.kind === 'replace' && operation.kind.creates;
    const isChange = kind !== 'list' && !creates && exchange.status !== 201;
    const isLeak = kind === 'delete' ? (await items.show(made)) === undefined : isChange;
    if (isLeak) return `the second user may ${kind} it`;
  }
  return undefined;
}
