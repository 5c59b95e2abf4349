import { listReadOnly } from '../../contract/request-facts.ts';
import { concreteCollection } from '../../contract/router.ts';
import type { Operation } from '../../contract/contract.ts';
import { findBodyRelations, type Relation } from '../../contract/relations.ts';
import { keptRole } from '../../contract/resources.ts';
import { appendPointer, memberAt } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  firstThere,
  type MaybePromise,
  type MockResponse,
  policyClause,
  shorten,
  whenThere,
} from '../message.ts';
import { toStoreKey } from '../store/store.ts';
import type { HandlerStep } from './handler-step.ts';
import { type HandlerInput } from './items.ts';
import type { ValidRequest } from './stored-form.ts';

type GuardInput = Pick<HandlerInput<never>, 'operation' | 'policy' | 'store' | 'refuse'>;

/**
 * Rejects bodies that the policy rejects: for read-only properties, or for references to items that do not exist.
 * Returns undefined if the policy rejects neither.
 */
export function guardBody(input: GuardInput, operations: readonly Operation[]): HandlerStep | undefined {
  const { operation, policy } = input;
  if (keptRole(operation) === undefined) return undefined;
  const readOnly = policy['read-only-sent'] === 'refuse' ? listReadOnly(operation) : [];
  const relations = policy['dangling-reference'] === 'refuse' ? findBodyRelations(operation, operations) : [];
  const { kind } = operation;
  if ((readOnly.length === 0 && relations.length === 0) || !('request' in kind)) return undefined;
  const path = kind.request;

  function refuseAt(
    name: string,
    reason: string,
    question: 'read-only-sent' | 'dangling-reference',
  ): MockResponse {
    const pointer = [...path, name].reduce((place, each) => appendPointer(place, each), '');
    return input.refuse({
      condition: 'invalid-body',
      message: `The body is not valid: ${pointer} ${reason}.`,
      problems: () => [{ pointer, reason: `${pointer} ${reason}`, clause: policyClause(question, 'refuse') }],
    });
  }

  const findDangling = danglingFinder(input, relations);
  return (request, next) => {
    const { content } = request;
    const body = content.kind === 'value' ? memberAt(content.value, path) : undefined;
    if (!isJsonObject(body)) return next(request);
    const sent = readOnly.find((name) => Object.hasOwn(body, name));
    if (sent !== undefined) return refuseAt(sent, 'is read-only', 'read-only-sent');
    return whenThere(findDangling(request, body), (found) =>
      found === undefined
        ? next(request)
        : refuseAt(found.property, `names nothing in ${shorten(found.collection)}`, 'dangling-reference'),
    );
  };
}

interface Reference {
  readonly property: string;
  readonly collection: string;
  readonly key: JsonValue;
}

/** Prepares the search for the first property that references a missing item. */
function danglingFinder(
  { operation, store }: GuardInput,
  relations: readonly Relation[],
): (request: ValidRequest, body: JsonObject) => MaybePromise<Reference | undefined> {
  return ({ path }, body) => {
    const references = relations.flatMap(({ property, resource, isList }): Reference[] => {
      const collection = concreteCollection(resource, sharesPath(resource.collection, operation) ? path : '');
      const value = Object.hasOwn(body, property) ? body[property] : null;
      // The parent item of the referenced one is unknown.
      if (value === null || value === undefined || collection.includes('{')) return [];
      return (isList && Array.isArray(value) ? value : [value]).map((key) => ({ property, collection, key }));
    });
    return firstThere(references, (reference) =>
      whenThere(store.get(reference.collection, toStoreKey(reference.key)), (text) =>
        text === undefined ? reference : undefined,
      ),
    );
  };
}

/** Returns whether the path of an operation starts like that of a collection and has the same parameters. */
function sharesPath(collection: string, { path }: Operation): boolean {
  const end = collection.lastIndexOf('}') + 1;
  return path.template.startsWith(collection.slice(0, end));
}
