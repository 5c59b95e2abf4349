import { buildRequest } from '../src/arbitrary/request.ts';
import type { Body } from '../src/arbitrary/request-case.ts';
import { findIfMatch } from '../src/contract/request-facts.ts';
import type { Operation } from '../src/contract/contract.ts';
import { findExactResponse } from '../src/contract/responses.ts';
import {
  alternatingBodies,
  bodiesWithParts,
  partialBodies,
  serviceValues,
  stateBodies,
  stateNames,
  wholeBodies,
} from './life-cycle-bodies.ts';
import type { LifeCycle } from './life-cycle-steps.ts';
import { listQueries, type ListQuery, pageQueries, searchQueries } from './list-queries.ts';
import type { LivingResource } from './living-resources.ts';
import { takesJson } from './property.ts';
import { boundaryBody, halfValidBody, nullBody } from './telling-bodies.ts';
import { readInOtherCase, unusualIds, withId } from './unusual-ids.ts';

/** The number of different bodies for a scenario. */
export const variants = 8;

/** The body with the least values. See {@link wholeBodies}. */
export const least: number = variants - 3;
/** The body with the required values of the first one. */
export const sharing: number = variants - 2;
/** The body without optional properties. */
export const smallest: number = variants - 1;

type SpecialBody = 'bounds' | 'nulls' | 'server-set' | 'state 0' | 'state 1' | 'no state' | 'half-valid';

/** The body of a write: one of {@link wholeBodies} or {@link partialBodies} by its number, or a special one. */
type BodyChoice = number | SpecialBody;

/** Steps for an item, by its number; none if the resource lacks the operation. */
type StepsFor = (item: number) => LifeCycle;

/** The steps of scenarios for a resource. */
export interface Steps {
  readonly create: (item: number, choice?: BodyChoice) => LifeCycle;
  /**
   * Creates a deleted item with the same id, if clients choose it, or with the same texts, if the document says how they
   * are refused.
   */
  readonly createAgain: StepsFor;
  readonly read: StepsFor;
  readonly head: StepsFor;
  /** Follows the `Location` of the create before. */
  readonly follow: StepsFor;
  /** Creates an item under each unusual id. */
  readonly createUnusual: StepsFor;
  /** The number of unusual ids. */
  readonly unusual: number;
  /** Reads an item with its id in another case, if the service generated it. */
  readonly readInOtherCase: StepsFor;
  /** Creates a deleted item again by a PUT, and deletes it. */
  readonly putAgain: StepsFor;
  /** Creates an item whose id begins with that of the next one, if the service generates ids. */
  readonly createPrefixed: StepsFor;
  /** Reads the list page after page. */
  readonly list: StepsFor;
  /** Reads pages of a few items. */
  readonly pages: StepsFor;
  /** Reads the list filtered and sorted. */
  readonly some: StepsFor;
  /** Searches the list for the name of an item. */
  readonly search: StepsFor;
  readonly replace: (item: number, choice: BodyChoice) => LifeCycle;
  /** Writes all properties of a singleton: with one of two sets of values. */
  readonly set: (item: number, which: number) => LifeCycle;
  /** Replaces with one property of a nested object less. */
  readonly replaceParts: StepsFor;
  readonly update: (item: number, choice: BodyChoice) => LifeCycle;
  /** The number of different updates. */
  readonly updates: number;
  readonly remove: StepsFor;
  /** A replace without a representation. */
  readonly refused: StepsFor;
  /** A whole life beside a neighbour, with special values. */
  readonly special: (item: number, choice: 'bounds' | 'nulls') => LifeCycle;
  /** Changes that are refused: half of their values is valid, or the credentials are missing. */
  readonly refusedChanges: StepsFor;
  /** Changes with the entity tag with which the item was first shown, or with that of the read before. */
  readonly changeUnderTag: (item: number, which: 'underFirstTag' | 'underLastTag') => LifeCycle;
  /** Changes with a precondition that no item satisfies (RFC 9110 §13.1.1). */
  readonly stale: StepsFor;
}

/** A cache, because every collection below an item begins with the steps that create one. */
const stepsOf = new WeakMap<LivingResource, Steps>();

/** Returns the steps of scenarios for a resource, each by the number of its item. */
export function createSteps(living: LivingResource): Steps {
  const steps = stepsOf.get(living) ?? makeSteps(living);
  stepsOf.set(living, steps);
  return steps;
}

function makeSteps({ maker, read: reader, list: lister, ...changers }: LivingResource): Steps {
  const { replace: replacer, update: updater, remove: remover } = changers;
  const changes = [replacer, updater, remover].filter((operation) => operation !== undefined);
  const updated = updater === undefined ? [] : partialBodies(updater, maker ?? replacer);
  const write = createWriter(maker, maker === undefined ? [] : wholeBodies(maker, variants));
  const replace = createWriter(replacer, replacer === undefined ? [] : wholeBodies(replacer, variants));
  const update = createWriter(updater, updated);
  const create: Steps['create'] = (item, choice = item) => write(item, choice);
  const read: StepsFor = (item) => send(reader, item);
  const remove: StepsFor = (item) => send(remover, item);
  const list: StepsFor = (item) => send(lister, item).map((step) => ({ ...step, walks: true }));
  /** Adds a read of the item to the steps, if there are any. */
  const shown = (steps: LifeCycle, item: number): LifeCycle =>
    steps.length === 0 ? [] : [...steps, ...read(item)];
  const unusual = unusualIds(maker, reader);
  const parts = replacer === undefined ? [] : bodiesWithParts(replacer);
  const query =
    (queries: readonly ListQuery[]): StepsFor =>
    (item) =>
      queries.map((step) => ({ ...step, item }));
  const setter = maker === undefined ? (replacer ?? updater) : undefined;
  const alternating = setter === undefined ? [] : alternatingBodies(setter);
  const isOfService = maker?.kind.kind === 'create' && maker.kind.key.kind === 'server';
  return {
    create,
    createAgain: (item) =>
      maker?.kind.kind === 'create' && (maker.kind.key.kind === 'client' || findExactResponse(maker, 409))
        ? create(item, smallest)
        : [],
    read,
    head: (item) => read(item).map((step) => ({ ...step, request: { ...step.request, method: 'HEAD' } })),
    follow: (item) =>
      maker?.kind.kind === 'create' ? read(item).map((step) => ({ ...step, follows: true })) : [],
    createUnusual: (item) =>
      unusual.flatMap((id, index) => {
        const collidesWith = id.collidesWith === 'plain' ? item : item + index;
        return create(item + index + 1, index + 1).map((step) => ({
          ...step,
          request: withId(step.request, id),
          ...(id.collidesWith === undefined ? {} : { collidesWith }),
        }));
      }),
    unusual: unusual.length,
    readInOtherCase: (item) =>
      read(item).map((step) => ({ ...step, asks: (shown) => reader && readInOtherCase(reader, shown) })),
    putAgain: (item) =>
      replacer?.kind.kind === 'replace' && replacer.kind.creates && remover !== undefined
        ? [remove(item), read(item), replace(item, 2), read(item), remove(item)].flat()
        : [],
    createPrefixed: (item) =>
      isOfService ? create(item, sharing).map((step) => ({ ...step, makesPrefixed: true })) : [],
    list,
    pages: query(lister === undefined ? [] : pageQueries(lister)),
    some: query(lister === undefined ? [] : listQueries(lister, reader)),
    search: query(lister === undefined ? [] : searchQueries(lister)),
    replace,
    set: (item, which) => (alternating.length === 0 ? [] : writeWith(setter, item, pick(alternating, which))),
    replaceParts: (item) => parts.flatMap((body) => shown(writeWith(replacer, item, body), item)),
    update,
    updates: updated.length,
    remove,
    refused: (item) =>
      replacer !== undefined && takesJson(replacer) ? writeWith(replacer, item, ['null']) : [],
    special: (item, choice) => {
      const created = shown(create(item, choice), item);
      const changed = [replace, update].flatMap((change) => shown(change(item, choice), item));
      if (created.length === 0 && changed.length === 0) return [];
      return [
        ...shown(create(item + 1, 2), item + 1),
        ...(created.length > 0 ? created : shown(create(item, 1), item)),
        ...shown(writeWith(updater, item, updated.at(-1)), item),
        ...shown(replace(item, smallest), item),
        ...changed,
        ...[read(item + 1), list(item), remove(item), read(item)].flat(),
      ];
    },
    refusedChanges: (item) => [
      ...[replace, update].flatMap((change) => shown(change(item, 'half-valid'), item)),
      ...changes.filter(isGuarded).flatMap((operation) => {
        const request = buildRequest(operation, { credentials: { kind: 'none' } });
        return shown([{ request, item }], item);
      }),
    ],
    changeUnderTag: (item, which) =>
      changes
        .filter((operation) => findIfMatch(operation) !== undefined)
        .flatMap((operation) => shown([{ request: buildRequest(operation), item, [which]: true }], item)),
    stale: (item) =>
      changes.flatMap((operation) => {
        const parameter = findIfMatch(operation);
        const parameters = new Map(parameter && [[parameter, '"stale"']]);
        const request = buildRequest(operation, { parameters });
        return parameter === undefined ? [] : shown([{ request, item }], item);
      }),
  };
}

function send(operation: Operation | undefined, item: number): LifeCycle {
  return operation === undefined ? [] : [{ request: buildRequest(operation), item }];
}

/** Returns a write with a body, or with the plain one. */
function writeWith(operation: Operation | undefined, item: number, body: Body | undefined): LifeCycle {
  if (operation === undefined) return [];
  const request = buildRequest(operation, body === undefined ? {} : { body });
  return [{ request: { ...request, isUnique: true }, item }];
}

/** Returns one of some bodies, from the first one again after the last. */
function pick(bodies: readonly (Body | undefined)[], which: number): Body | undefined {
  return bodies[which % Math.max(1, bodies.length)];
}

/** Creates a function that writes an item, with one of the numbered bodies or a special one if the operation has it. */
function createWriter(
  operation: Operation | undefined,
  numbered: readonly (Body | undefined)[],
): (item: number, choice: BodyChoice) => LifeCycle {
  const special = new Map<BodyChoice, Body | undefined>();
  return (item, choice) => {
    if (typeof choice === 'number') {
      // An operation that writes whole items may have no body.
      const isPossible = operation?.kind.kind !== 'update' || numbered.length > 0;
      return isPossible ? writeWith(operation, item, pick(numbered, choice)) : [];
    }
    if (operation !== undefined && !special.has(choice)) {
      special.set(choice, specialBodies[choice](operation, numbered));
    }
    const body = special.get(choice);
    return body === undefined ? [] : writeWith(operation, item, body);
  };
}

/** Functions that return a special body; undefined if the operation has none. */
const specialBodies: Readonly<
  Record<SpecialBody, (operation: Operation, numbered: readonly (Body | undefined)[]) => Body | undefined>
> = {
  bounds: boundaryBody,
  nulls: nullBody,
  'server-set': serviceValues,
  // The first value of each flag and state, the second one, and none of them.
  'state 0': (operation) => stateBodies(operation)[0],
  'state 1': (operation) => stateBodies(operation)[1],
  'no state': (operation, numbered) => {
    const names = stateNames(operation).map((name) =>
      JSON.stringify(`${JSON.stringify(name)}:`).slice(1, -1),
    );
    return numbered.find((body) => !names.some((name) => JSON.stringify(body).includes(name)));
  },
  'half-valid': halfValidBody,
};

/** Returns whether an operation needs credentials that a request can leave out. */
function isGuarded({ security }: Operation): boolean {
  return security.length > 0 && security.every((schemes) => schemes.some(({ kind }) => kind !== 'unjudged'));
}
