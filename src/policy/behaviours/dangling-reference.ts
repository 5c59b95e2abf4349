import { findBodyRelations } from '../../contract/relations.ts';
import { keptRole } from '../../contract/resources.ts';
import type { JsonObject } from '../../json/value.ts';
import { isRefused, notAsked, plainRefused, unexpectedAnswer, unspecified, unsettled } from '../probing.ts';
import { choices, type ProbeSession, type Behaviour, type Probed } from '../behaviour.ts';

/** The behaviour `dangling-reference`: the response to a property that refers to a missing item. */
export const danglingReference: Behaviour<'dangling-reference'> = {
  id: 'dangling-reference',
  question: 'What happens when a property refers to an item that does not exist?',
  isOfResources: true,
  ...choices<'dangling-reference'>([
    ['accept', 'it is accepted', 'It is accepted.'],
    ['refuse', 'the body is refused', 'The body is refused.'],
  ]),
  documentValue: (operation, { operations }) =>
    findBodyRelations(operation, operations).length > 0
      ? unspecified
      : notAsked('its body has no property that refers to an item'),
  probe: { mostRequests: 17, needsTaken: false, ask },
};

/** Sends the id of an item that never existed, after an item that refers to existing ones. */
async function ask({ operation, contract, items }: ProbeSession): Probed<'dangling-reference'> {
  const role = keptRole(operation);
  const [relation] = findBodyRelations(operation, contract.operations).filter(
    ({ resource }) => items.operation(resource, 'create') !== undefined,
  );
  if (role === undefined || role.resource.kind === 'singleton' || relation === undefined) {
    return unsettled('no operation creates what its body refers to');
  }
  const { property, resource, isList } = relation;
  const made = await items.make(role.resource);
  const { id } = await items.unknown(await items.make(resource));
  const withDangling = (body: JsonObject): JsonObject => ({ ...body, [property]: isList ? [id] : id });
  const exchange =
    role.kind === 'create'
      ? (await items.tryMake(role.resource, { below: made.collection, change: withDangling })).exchange
      : await items.send(operation, made, { body: withDangling(made.body) });
  if (exchange.isAccepted) return { kind: 'answer', answer: 'accept' };
  if (!isRefused(exchange)) return unexpectedAnswer(`a "${property}" that is not there`, exchange);
  // Another value may have to be unique.
  const control = role.kind === 'create' && (await items.tryMake(role.resource, { below: made.collection }));
  return control && !control.exchange.isAccepted
    ? plainRefused(control.exchange)
    : { kind: 'answer', answer: 'refuse' };
}
