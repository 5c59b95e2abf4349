import { concreteCollection } from '../../contract/router.ts';
import { findSuccessResponse } from '../../contract/responses.ts';
import { findReadable, isStructured } from '../../http/codecs/registry.ts';
import { nestMember } from '../../json/pointer.ts';
import type { MediaTypeContract, Operation, Resource } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { isShallow } from '../../contract/shallow-routes.ts';
import { holdsExactNumber } from '../../json/value.ts';
import { policyOf } from '../../policy/policy.ts';
import { listSentMedia, type SentMedia } from '../answer/representation.ts';
import { chooseAccepted, createBodyCheck } from '../request/body.ts';
import { guardBody } from './body-guards.ts';
import { prepareCreate } from './create-resource.ts';
import { shorten, whenThere } from '../message.ts';
import type { Store } from '../store/store.ts';
import { type HandlerStep, joinSteps } from './handler-step.ts';
import { separateUsers } from './item-owners.ts';
import { prepareParent, requireParent } from './item-places.ts';
import { type HandlerInput, prepareItem, type WholeCheck } from './items.ts';
import { prepareList } from './lists.ts';
import { type OperationHandler, prepareStoredForm } from './stored-form.ts';

/**
 * Prepares the handler of an operation on its resource.
 *
 * @param operations - all operations of the document: the create of the resource must accept the result of an update
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
function prepareHandler(
  input: Omit<HandlerInput<never>, 'kind' | 'siblings'>,
  operations: readonly Operation[],
): OperationHandler {
  const kind = keptRole(input.operation);
  const siblings = operations.filter(
    (each) => keptRole(each)?.resource.collection === kind?.resource.collection && kind !== undefined,
  );
  const isBelow = kind !== undefined && !isShallow(kind.resource, input.operation.path.template);
  const parent = operations
    .flatMap((each) => keptRole(each)?.resource ?? [])
    .find(({ collection }) => isBelow && collection === kind.resource.parent);
  const missing = input.policy['missing-parent'];
  const isAuthorized = missing === 'create' || (missing === 'empty-list' && kind?.kind === 'list');
  const rule = parent === undefined || isAuthorized ? undefined : prepareParent(parent, input.refuse);
  const keepsOrphans =
    parent !== undefined && kind?.kind !== 'create' && keepsItemsBelow(parent, input, operations);
  const orphans = keepsOrphans ? kind?.resource : undefined;
  const prepare = (store: Store): OperationHandler => {
    const own = { ...input, store };
    const fillers = [parent, kind?.resource].map(
      (resource) => resource && sayHowToFill(resource, own, operations),
    );
    return joinSteps(
      [...fillers, rule && requireParent(store, rule, orphans), guardBody(own, operations)],
      prepareOwn({ ...own, siblings, parent: rule }, kind),
    );
  };
  const above = parent && { resource: parent, rule: rule ?? prepareParent(parent, input.refuse) };
  return separateUsers(input, { operations, above, prepare });
}

/**
 * Prepares the handler of an operation in each notation that its success declares; Accept selects one for a request. A
 * notation other than the usual one is prepared on first use.
 *
 * @throws ClocheError SCHEMA_UNUSABLE if a schema cannot be compiled
 */
export function prepareNotations(
  input: Omit<HandlerInput<never>, 'kind' | 'siblings'>,
  operations: readonly Operation[],
): OperationHandler {
  const { operation } = input;
  const notations = listNotations(operation);
  const usual = prepareHandler(input, operations);
  if (notations.length < 2) return usual;
  const types = notations.map(({ contentType }) => contentType);
  const success = findSuccessResponse(operation);
  const handlers = [usual];
  return (request) => {
    const at = chooseAccepted(request.head.header('accept') ?? '*/*', types);
    handlers[at] ??= prepareIn(notations[at]?.media);
    return (handlers[at] ?? usual)(request);
  };

  function prepareIn(media: MediaTypeContract | undefined): OperationHandler {
    const responses = operation.responses.map((each) =>
      each === success && media !== undefined ? { ...each, media: [media] } : each,
    );
    const own = { ...operation, responses };
    const all = operations.map((each) => (each === operation ? own : each));
    return prepareHandler({ ...input, operation: own }, all);
  }
}

/** Lists the media types in which a kept item can be shown, the usual one first; none if that is another one. */
export function listNotations(operation: Operation): readonly SentMedia[] {
  const [usual, ...others] = listSentMedia(findSuccessResponse(operation)?.media ?? []);
  return usual === undefined ? [] : [usual, ...(isStructured(usual) ? others.filter(isStructured) : [])];
}

/** Returns whether the items below a deleted item stay. No new ones are created then. */
function keepsItemsBelow(
  { collection }: Resource,
  { policy }: Pick<HandlerInput<never>, 'policy'>,
  operations: readonly Operation[],
): boolean {
  const deletes = operations.find(
    ({ kind }) => kind.kind === 'delete' && kind.resource.collection === collection,
  );
  return deletes !== undefined && policyOf(policy, deletes.id)['deleted-parent'] === 'keep';
}

/** Makes a not-found response for an empty collection name the way to fill it. */
function sayHowToFill(
  resource: Resource,
  { store, refuse }: Pick<HandlerInput<never>, 'store' | 'refuse'>,
  operations: readonly Operation[],
): HandlerStep {
  const creator = operations.find(
    ({ kind }) =>
      kind.kind !== 'sample' &&
      kind.resource.collection === resource.collection &&
      (kind.kind === 'create' || (kind.kind === 'replace' && kind.creates)),
  );
  return (request, next) =>
    whenThere(next(request), (answer) => {
      const { condition, message = '' } = answer.note;
      const collection = concreteCollection(resource, request.path);
      if (condition !== 'not-found' || !message.endsWith(` in ${shorten(collection)}.`)) return answer;
      const template = creator?.path.template ?? '';
      const path = concreteCollection({ ...resource, collection: template }, request.path);
      const way =
        creator === undefined ? '--data fills it' : `${creator.method} ${shorten(path)} creates one`;
      return whenThere(store.count(collection), (count) =>
        count > 0
          ? answer
          : refuse({ condition, message: `${message.slice(0, -1)}, which is empty: ${way}.` }),
      );
    });
}

function prepareOwn(
  input: Omit<HandlerInput<never>, 'kind'>,
  kind: ReturnType<typeof keptRole>,
): OperationHandler {
  const none = { kind: 'none', evidence: '' } as const;
  if (kind === undefined || kind.kind === 'create') {
    return prepareCreate({ ...input, key: kind === undefined ? none : kind.key });
  }
  if (kind.kind === 'list') return prepareList({ ...input, kind });
  return prepareItem({ ...input, kind, checkWhole: kind.kind === 'update' ? findCheck(input) : undefined });
}

/** Returns the check of a whole item: the body check of the operation that replaces or creates one. */
function findCheck({ siblings, policy, reading }: Omit<HandlerInput<never>, 'kind'>): WholeCheck | undefined {
  const [writer] = (['replace', 'create'] as const).flatMap((role) =>
    siblings.filter(({ kind }) => kind.kind === role),
  );
  const media = findReadable(writer?.requestBody?.media);
  if (writer?.requestBody === undefined || media === undefined || !('request' in writer.kind))
    return undefined;
  const { request, resource } = writer.kind;
  const check = createBodyCheck(writer.requestBody, policy, reading);
  const { split } = prepareStoredForm(writer, { key: resource.key, policy });
  return (item) => {
    const body = nestMember({}, request, split(item).resource);
    return check(body, holdsExactNumber(body), media)?.message;
  };
}
