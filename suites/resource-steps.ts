import { buildRequest } from '../src/arbitrary/request.ts';
import type { Body, RequestCase } from '../src/arbitrary/request-case.ts';
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
import { listQueries, pageQueries, searchQueries } from './list-queries.ts';
import type { LivingResource } from './living-resources.ts';
import { takesJson } from './property.ts';
import { boundaryBody, halfValidBody, nullBody } from './telling-bodies.ts';
import { readInOtherCase, unusualIds, withId } from './unusual-ids.ts';

/** The number of different bodies for a scenario. */
export const variants = 8;

/**
 * The bodies with a special meaning: with the least values, with the required values of the first, and without optional
 * ones. See {@link wholeBodies}.
 */
export const least: number = variants - 3;
export const sharing: number = variants - 2;
export const smallest: number = variants - 1;

/** Steps for an item, by its number; none if the resource lacks the operation. */
type StepsFor = (item: number) => LifeCycle;

/** The steps of scenarios for a resource. */
export interface Steps {
  readonly create: (item: number, which?: number) => LifeCycle;
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
  readonly replace: (item: number, which: number) => LifeCycle;
  /** Writes all properties of a singleton: with one of two sets of values. */
  readonly set: (item: number, which: number) => LifeCycle;
  /** Replaces with one property of a nested object less. */
  readonly replaceParts: StepsFor;
  readonly update: (item: number, which: number) => LifeCycle;
  /** The number of different updates. */
  readonly updates: number;
  readonly remove: StepsFor;
  /** Writes with values for server-set fields. */
  readonly createTelling: StepsFor;
  readonly replaceTelling: StepsFor;
  /** A replace without a representation. */
  readonly refused: StepsFor;
  /** A whole life beside a neighbour, with values at the bounds of their schemas, or null where they may be. */
  readonly special: (item: number, kind: 'bounds' | 'nulls') => LifeCycle;
  /** Creates an item with these values, or plain ones. */
  readonly createSpecial: (item: number, kind: 'bounds' | 'nulls') => LifeCycle;
  /** Changes that are refused: half of their values is valid, or the credentials are missing. */
  readonly refusedChanges: StepsFor;
  /** Writes with the first value of each flag and state, or with the second. */
  readonly createIn: (item: number, state: number) => LifeCycle;
  readonly replaceIn: (item: number, state: number) => LifeCycle;
  /** An update without any flag or state. */
  readonly updateBeside: StepsFor;
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

function makeSteps({ maker, read, list, replace, update, remove }: LivingResource): Steps {
  const made = maker === undefined ? [] : wholeBodies(maker, variants);
  const replaced = replace === undefined ? [] : wholeBodies(replace, variants);
  const parts = replace === undefined ? [] : bodiesWithParts(replace);
  const updated = update === undefined ? [] : partialBodies(update, maker ?? replace);
  const withBody = (operation: Operation | undefined, body: Body | undefined, item: number): LifeCycle => {
    if (operation === undefined) return [];
    const request = buildRequest(operation, body === undefined ? {} : { body });
    return [{ request: { ...request, isUnique: true }, item }];
  };
  const put = (item: number): LifeCycle => withBody(replace, at(replaced, 2), item);
  const at = (bodies: readonly (Body | undefined)[], which: number): Body | undefined =>
    bodies[which % Math.max(1, bodies.length)];
  const on =
    (operation: Operation | undefined, change: (request: RequestCase) => RequestCase = (same) => same) =>
    (item: number): LifeCycle =>
      operation === undefined ? [] : [{ request: change(buildRequest(operation)), item }];
  const whole = (item: number): LifeCycle =>
    list === undefined ? [] : [{ request: buildRequest(list), item, walks: true }];
  const match = [replace, update, remove].map((each) => each && findIfMatch(each));
  const unusual = unusualIds(maker, read);
  const states = [maker, replace].map(stateBodies);
  const named = update === undefined ? [] : stateNames(update).map((name) => `${JSON.stringify(name)}:`);
  const beside = updated.find(
    (body) => !named.some((name) => JSON.stringify(body).includes(JSON.stringify(name).slice(1, -1))),
  );
  const telling = [maker, replace].map((each) => each && serviceValues(each));
  const writers = [maker, replace, update];
  const pages = list === undefined ? [] : pageQueries(list);
  const queries = list === undefined ? [] : listQueries(list, read);
  const searches = list === undefined ? [] : searchQueries(list);
  const special = { bounds: writers.map(boundaryBody), nulls: writers.map(nullBody) };
  const setter = replace ?? update;
  const alternating = setter === undefined || maker !== undefined ? [] : alternatingBodies(setter);
  const halfValid = writers.map(halfValidBody);
  return {
    create: (item: number, which = item): LifeCycle => withBody(maker, at(made, which), item),
    createAgain: (item: number): LifeCycle =>
      maker?.kind.kind === 'create' && (maker.kind.key.kind === 'client' || findExactResponse(maker, 409))
        ? withBody(maker, at(made, smallest), item)
        : [],
    read: on(read),
    head: on(read, (request) => ({ ...request, method: 'HEAD' })),
    follow: (item: number): LifeCycle =>
      maker?.kind.kind === 'create' ? on(read)(item).map((step) => ({ ...step, follows: true })) : [],
    createUnusual: (item: number): LifeCycle =>
      unusual.flatMap((id, index) => {
        const collidesWith = id.collidesWith === 'plain' ? item : item + index;
        return withBody(maker, at(made, index + 1), item + index + 1).map((step) => ({
          ...step,
          request: withId(step.request, id),
          ...(id.collidesWith === undefined ? {} : { collidesWith }),
        }));
      }),
    unusual: unusual.length,
    readInOtherCase: (item: number): LifeCycle =>
      on(read)(item).map((step) => ({ ...step, asks: (shown) => read && readInOtherCase(read, shown) })),
    putAgain: (item: number): LifeCycle =>
      replace?.kind.kind === 'replace' && replace.kind.creates && remove !== undefined
        ? [on(remove), on(read), put, on(read), on(remove)].flatMap((step) => step(item))
        : [],
    createPrefixed: (item: number): LifeCycle =>
      maker?.kind.kind === 'create' && maker.kind.key.kind === 'server'
        ? withBody(maker, at(made, sharing), item).map((step) => ({ ...step, makesPrefixed: true }))
        : [],
    list: whole,
    pages: (item: number): LifeCycle => pages.map((step) => ({ ...step, item })),
    some: (item: number): LifeCycle => queries.map((step) => ({ ...step, item })),
    search: (item: number): LifeCycle => searches.map((step) => ({ ...step, item })),
    replace: (item: number, which: number): LifeCycle => withBody(replace, at(replaced, which), item),
    set: (item: number, which: number): LifeCycle =>
      alternating.length === 0 ? [] : withBody(setter, at(alternating, which), item),
    replaceParts: (item: number): LifeCycle =>
      parts.flatMap((body) => [...withBody(replace, body, item), ...on(read)(item)]),
    update: (item: number, which: number): LifeCycle =>
      updated.length === 0 ? [] : withBody(update, at(updated, which), item),
    updates: updated.length,
    remove: on(remove),
    createTelling: (item: number): LifeCycle =>
      telling[0] === undefined ? [] : withBody(maker, telling[0], item),
    replaceTelling: (item: number): LifeCycle =>
      telling[1] === undefined ? [] : withBody(replace, telling[1], item),
    refused: (item: number): LifeCycle =>
      replace !== undefined && takesJson(replace) ? withBody(replace, ['null'], item) : [],
    special: (item: number, kind: 'bounds' | 'nulls'): LifeCycle => {
      const [create, replaceSo, updateSo] = special[kind].map((body, index) =>
        body === undefined ? [] : [...withBody(writers[index], body, item), ...on(read)(item)],
      );
      if ([create, replaceSo, updateSo].every((each) => each?.length === 0)) return [];
      const plainly = [...withBody(maker, made[1], item), ...on(read)(item)];
      const shown = (step: LifeCycle): LifeCycle => (step.length === 0 ? [] : [...step, ...on(read)(item)]);
      return [
        ...[withBody(maker, made[2], item + 1), on(read)(item + 1)].flat(),
        ...(create?.length ? create : plainly),
        ...shown(withBody(update, at(updated, updated.length - 1), item)),
        ...shown(withBody(replace, at(replaced, smallest), item)),
        ...(replaceSo ?? []),
        ...(updateSo ?? []),
        ...[on(read)(item + 1), whole(item), on(remove)(item), on(read)(item)].flat(),
      ];
    },
    createSpecial: (item: number, kind: 'bounds' | 'nulls'): LifeCycle =>
      withBody(maker, special[kind][0] ?? made[1], item),
    refusedChanges: (item: number): LifeCycle => {
      const half = [1, 2].flatMap((index) => {
        const body = halfValid[index];
        return body === undefined ? [] : [...withBody(writers[index], body, item), ...on(read)(item)];
      });
      const anonymous = [replace, update, remove].flatMap((operation): LifeCycle => {
        if (operation === undefined || !isGuarded(operation)) return [];
        const request = buildRequest(operation, { credentials: { kind: 'none' } });
        return [{ request, item }, ...on(read)(item)];
      });
      return [...half, ...anonymous];
    },
    createIn: (item: number, state: number): LifeCycle =>
      states[0]?.[state] === undefined ? [] : withBody(maker, states[0][state], item),
    replaceIn: (item: number, state: number): LifeCycle =>
      states[1]?.[state] === undefined ? [] : withBody(replace, states[1][state], item),
    updateBeside: (item: number): LifeCycle => (beside === undefined ? [] : withBody(update, beside, item)),
    changeUnderTag: (item: number, which: 'underFirstTag' | 'underLastTag'): LifeCycle =>
      [replace, update, remove].flatMap((operation) =>
        operation === undefined || findIfMatch(operation) === undefined
          ? []
          : [{ request: buildRequest(operation), item, [which]: true as const }, ...on(read)(item)],
      ),
    stale: (item: number): LifeCycle =>
      [replace, update, remove].flatMap((operation, index) => {
        const parameter = match[index];
        if (operation === undefined || parameter === undefined) return [];
        const parameters = new Map([[parameter, '"stale"']]);
        return [{ request: buildRequest(operation, { parameters }), item }, ...on(read)(item)];
      }),
  };
}

/** Returns whether an operation needs credentials that a request can leave out. */
function isGuarded({ security }: Operation): boolean {
  return security.length > 0 && security.every((schemes) => schemes.some(({ kind }) => kind !== 'unjudged'));
}
