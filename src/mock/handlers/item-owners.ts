import type { Operation, Resource } from '../../contract/contract.ts';
import { findRole } from '../../contract/find-role.ts';
import { keptRole } from '../../contract/resources.ts';
import { toText } from '../../json/print.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { mayHaveOwners } from '../../policy/behaviours/items-of-others.ts';
import { policyOf } from '../../policy/policy.ts';
import { firstThere, whenThere } from '../message.ts';
import { readUser } from '../request/credentials.ts';
import { createOwnedStore, isOfAnother, type Owner } from '../store/owned-store.ts';
import { type HandlerStep, joinSteps } from './handler-step.ts';
import { createFinder, type ItemPlace, type ParentRule, refuseMissing } from './item-places.ts';
import type { HandlerInput } from './items.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

type OwnersInput = Omit<HandlerInput<never>, 'kind' | 'siblings'>;

/** The maximum number of users with a prepared handler. */
const mostUsers = 100;

/**
 * Prepares the handler of an operation for each user, if the policy hides or forbids the items of others: it works on
 * the user's view of the store. Otherwise one handler serves all users.
 *
 * @param of.above - the resource above the items of the operation
 * @param of.prepare - prepares the handler on a store
 */
export function separateUsers(
  input: OwnersInput,
  of: {
    readonly operations: readonly Operation[];
    readonly above: { readonly resource: Resource; readonly rule: ParentRule } | undefined;
    readonly prepare: (store: OwnersInput['store']) => OperationHandler;
  },
): OperationHandler {
  const { operation, store } = input;
  const { operations, above, prepare } = of;
  const valueOf = (resource: Resource | undefined): BehaviourValues['items-of-others'] => {
    const reader = resource && findRole(operations, resource, 'read');
    if (reader === undefined) return 'visible';
    const value = policyOf(input.policy, reader.id)['items-of-others'];
    return value !== 'visible' && mayHaveOwners(reader, operations) ? value : 'visible';
  };
  const own = valueOf(keptRole(operation)?.resource);
  const values = { own, above: valueOf(above?.resource) };
  if (values.own === 'visible' && values.above === 'visible') return prepare(store);
  const schemes = operation.security.flat();
  const handlers = new Map<string, OperationHandler>();
  return (request) => {
    const user = readUser(request.head, schemes, input.issued);
    const name = JSON.stringify(user);
    const handle =
      handlers.get(name) ??
      joinSteps(
        [refuseOthers(input, { user, values, placesAbove: above?.rule.placesOf })],
        prepare(createOwnedStore(store, user, own !== 'visible')),
      );
    handlers.delete(name);
    handlers.set(name, handle);
    const [oldest = ''] = handlers.keys();
    if (handlers.size > mostUsers) handlers.delete(oldest);
    return handle(request);
  };
}

/** Refuses requests for items of others that the view of the store cannot answer: with 403, and a PUT that creates. */
function refuseOthers(
  { operation, store, refuse }: OwnersInput,
  of: {
    readonly user: Owner;
    readonly values: Readonly<Record<'own' | 'above', BehaviourValues['items-of-others']>>;
    readonly placesAbove: ParentRule['placesOf'] | undefined;
  },
): HandlerStep {
  const { user, values, placesAbove } = of;
  const role = keptRole(operation);
  const find =
    role === undefined || role.kind === 'create' || role.kind === 'list' || role.resource.kind === 'singleton'
      ? undefined
      : createFinder(role, operation);
  const isGuarded = values.own === 'forbidden' || role?.kind === 'replace';
  const placesOf = (request: ValidRequest): readonly ItemPlace[] => [
    ...(values.above === 'forbidden' ? (placesAbove?.(request.path) ?? []) : []),
    ...(isGuarded ? (find?.(request) ?? []) : []),
  ];
  return (request, next) =>
    whenThere(
      firstThere(placesOf(request), (place) =>
        whenThere(store.claims(place.collection, place.key), (claims) =>
          isOfAnother(claims, user) ? place : undefined,
        ),
      ),
      (place) => {
        if (place === undefined) return next(request);
        const { collection, id } = place;
        if (values.own === 'hidden') return refuseMissing(refuse, toText(id ?? null), collection);
        return refuse({ condition: 'forbidden', message: 'The item belongs to another user.' });
      },
    );
}
