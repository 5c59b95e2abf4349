import type { Contract, Resource } from '../../contract/contract.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import { valueKey } from '../../schema/walk.ts';
import { createEventLoopYield } from '../clock.ts';
import { setAsideName } from '../message.ts';
import {
  type Collection,
  type Collections,
  createCollections,
  depthOf,
  describeClaim,
} from './collections.ts';
import type { DataReport } from './rows.ts';
import type { TakenRow } from './take-row.ts';
import { moveOwner } from '../store/owned-store.ts';
import {
  type KeptResource,
  type Store,
  type StoreContent,
  type StoredResource,
  type StoreKey,
  toStoreKey,
} from '../store/store.ts';

/** A resource that does not fit the current contract and policy. */
interface SetAside {
  /** The concrete path of its collection. */
  readonly collection: string;
  /** Its store key, as a JSON text. */
  readonly key: string;
  /** Why it does not fit, in words, without a full stop. */
  readonly reason: string;
}

/** The result of a change for the state. */
export interface ChangeReport {
  /** The number of resources that stay. */
  readonly kept: number;
  /** Resources that no longer fit. They are in the snapshot `set-aside` until a change after which they fit again. */
  readonly setAside: readonly SetAside[];
  /** The number of resources that were set aside and fit again. */
  readonly broughtBack: number;
  /** The result for the initial data, if it was changed. */
  readonly data?: DataReport;
}

function toRules({ key, operation, sent, shown, takesDuplicates }: Collection, whole: Policy): string {
  const policy = policyOf(whole, operation.id);
  return stringifyJson([
    key.kind === 'none' ? null : [key.kind, key.property],
    [sent?.schema ?? null, shown?.schema ?? null],
    operation.parameters.flatMap((parameter) =>
      parameter.in === 'path' ? [[parameter.name, parameter.schema?.schema ?? true]] : [],
    ),
    [...policy['unique-properties']],
    { ...policy.constraints },
    policy['undeclared-properties'] === 'refuse',
    policy['int64-range'],
    policy['integer-notation'],
    takesDuplicates,
  ]);
}

/**
 * Returns the rules that decide whether a resource fits a collection, by the concrete path of the collection. They are
 * a text that changes if the rules change; undefined if the collection does not exist.
 */
function collectionRules(
  contract: Pick<Contract, 'operations'>,
  policy: Policy,
): (collection: string) => string | undefined {
  const { find } = createCollections(contract, policy);
  const known = new Map<Resource, string>();
  return (path) => {
    const collection = find(path);
    if (typeof collection === 'string') return undefined;
    const rules = known.get(collection.resource) ?? toRules(collection, policy);
    known.set(collection.resource, rules);
    return rules;
  };
}

/** A resource with the concrete path of its collection. */
interface Placed {
  readonly collection: string;
  readonly resource: KeptResource;
}

/** Returns the new key, claims and parents of a resource that fits, or the reason, in words, without a full stop. */
type FitCheck = (placed: Placed) => Pick<StoredResource, 'key' | 'claims' | 'parents'> | string;

/** Returns the new store key of a resource: the present one if it is still valid. */
function toKey(collection: Collection, taken: TakenRow, present: StoreKey): StoreKey | undefined {
  if (collection.key.kind === 'none') return present;
  if (taken.key === undefined) return undefined;
  // A resource beside another one with the same id has a number after it.
  const isBeside =
    collection.takesDuplicates &&
    typeof present === 'string' &&
    present.startsWith(`${valueKey(taken.key)} `);
  return isBeside ? present : toStoreKey(taken.key);
}

/** Prepares the check of stored resources: they are checked like initial data. */
function createFitCheck({ find }: Pick<Collections, 'find'>): FitCheck {
  const known = new Map<string, Collection | string>();
  return ({ collection: name, resource }) => {
    const collection = known.get(name) ?? find(name);
    known.set(name, collection);
    if (typeof collection === 'string') return collection;
    const parsed = parseJson(resource.text, { findDuplicateKeys: false });
    if (parsed.kind !== 'json') return 'what is kept of it is no JSON';
    const taken = collection.take(parsed.value);
    if (typeof taken === 'string') return taken;
    const key = toKey(collection, taken, resource.key);
    return key === undefined
      ? 'it has no key of the kind that the service gives now'
      : {
          key,
          claims: [...collection.storedForm.toStored(taken, key).claims, ...moveOwner(resource.claims, key)],
          parents: collection.parents,
        };
  };
}

function nameOf({ collection, resource: { key, text } }: Placed): string {
  return `${collection}\0${typeof key}\0${key}\0${text}`;
}

function toPlaced(content: StoreContent | undefined): readonly Placed[] {
  return (content?.collections ?? []).flatMap(({ name, resources }) =>
    resources.map((resource) => ({ collection: name, resource })),
  );
}

function toContent(many: readonly Placed[]): StoreContent | undefined {
  const names = new Map<string, KeptResource[]>(many.map(({ collection }) => [collection, []]));
  many.forEach(({ collection, resource }) => names.get(collection)?.push(resource));
  const collections = [...names].map(([name, resources]) => ({ name, lastNumber: 0, resources }));
  return collections.length === 0 ? undefined : { collections };
}

/** Each is removed as often as it is gone: another mock may have set aside an equal one. */
function without(many: readonly Placed[], gone: readonly Placed[]): readonly Placed[] {
  const left = new Map<string, number>();
  for (const one of gone) left.set(nameOf(one), (left.get(nameOf(one)) ?? 0) + 1);
  return many.filter((one) => {
    const count = left.get(nameOf(one)) ?? 0;
    left.set(nameOf(one), count - 1);
    return count <= 0;
  });
}

/**
 * Changes the resources that are set aside, and returns the former ones. Other mocks on the same store may do so at the
 * same time: all additions are kept, and only resources reported as gone are removed.
 */
async function changeSetAside(
  store: Store,
  { added, gone }: { readonly added: readonly Placed[]; readonly gone: readonly Placed[] },
): Promise<StoreContent | undefined> {
  for (;;) {
    const was = await store.readSnapshot(setAsideName);
    const isSame = added.length === 0 && gone.length === 0;
    const is = isSame ? was : toContent([...without(toPlaced(was), gone), ...added]);
    if (isSame || (await store.swapSnapshot({ name: setAsideName, was, is }))) return was;
  }
}

const pageSize = 10_000;

/** A resource that leaves its collection or returns to it. */
interface Outsider extends Placed {
  readonly reason: string;
  /** Whether it was set aside before. */
  readonly isOld: boolean;
  /** Whether it may fit again; the others certainly do not. */
  readonly mayReturn: boolean;
}

/** Handles many values one by one, and yields to other requests. */
async function forEach<T>(many: readonly T[], handle: (each: T) => Promise<void>): Promise<void> {
  const yieldToEventLoop = createEventLoopYield();
  for (const each of many) {
    await handle(each);
    await yieldToEventLoop();
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

/** Finds the resources of a collection that do not fit, or only under another key, and does not move them. */
async function findOutsiders(
  store: Store,
  check: FitCheck,
  collection: string,
): Promise<readonly Outsider[]> {
  const outsiders: Outsider[] = [];
  let page: readonly KeptResource[];
  let offset = 0;
  do {
    page = await store.list(collection, { offset, limit: pageSize });
    await forEach(page, async (resource) => {
      const outsider = { collection, resource, isOld: false };
      const fit = check(outsider);
      if (typeof fit === 'string') {
        outsiders.push({ ...outsider, reason: fit, mayReturn: false });
      } else if (fit.key !== resource.key) {
        outsiders.push({ ...outsider, reason: '', mayReturn: true });
      } else if (!isSame(fit.claims, resource.claims)) {
        const outcome = await store.replace({ collection, ...resource, claims: fit.claims });
        if (outcome.kind === 'claim-taken') {
          // The resource that has it may be set aside, too.
          outsiders.push({ ...outsider, reason: describeClaim(outcome.claim), mayReturn: true });
        }
      }
    });
    offset += page.length;
  } while (page.length === pageSize);
  return outsiders;
}

/** Restores a resource if it fits. Returns undefined then; otherwise the resource stays set aside. */
async function bringBackOutsider(
  store: Store,
  check: FitCheck,
  outsider: Outsider,
): Promise<Outsider | undefined> {
  const { collection, resource } = outsider;
  const fit = check(outsider);
  if (typeof fit === 'string') return { ...outsider, reason: fit };
  const { text } = resource;
  const outcome = await store.insertIfAbsent({ collection, text, ...fit });
  switch (outcome.kind) {
    case 'stored':
      return undefined;
    case 'claim-taken':
      return { ...outsider, reason: describeClaim(outcome.claim) };
    case 'parent-missing':
      return { ...outsider, reason: 'the item that it belongs to is missing' };
    case 'key-taken':
      // After an interrupted change, a resource may be in both places.
      return outcome.text === text
        ? undefined
        : { ...outsider, reason: `another resource has its key ${String(fit.key)}` };
  }
}

/**
 * Sets aside the resources of a store that no longer fit, and restores those that fit again. No resource is ever lost:
 * it is in the snapshot `set-aside` before it leaves its collection. If several mocks do this on one store, each
 * removes from the snapshot only resources that it added or restored. The names are those of the collections whose
 * rules may have changed.
 */
async function refitStore(store: Store, check: FitCheck, names: readonly string[]): Promise<ChangeReport> {
  const found: Outsider[] = [];
  for (const collection of names) {
    // Not spread into arguments: there may be more than a call can have.
    (await findOutsiders(store, check, collection)).forEach((outsider) => found.push(outsider));
  }
  const was = await changeSetAside(store, { added: found, gone: [] });
  const old = toPlaced(was).map((placed) => ({ ...placed, reason: '', isOld: true, mayReturn: true }));
  const taken: Outsider[] = [];
  const gone: Outsider[] = [];
  await forEach(found, async (outsider) => {
    const { collection, resource } = outsider;
    // False if a client or another mock replaced or removed it first.
    const isRemoved = await store.delete(collection, resource.key, resource.text);
    (isRemoved ? taken : gone).push(outsider);
  });
  const still: Outsider[] = [];
  // A child is restored only if its parent exists.
  const outside = [...old, ...taken].toSorted(
    (left, right) => depthOf(left.collection) - depthOf(right.collection),
  );
  await forEach(outside, async (outsider) => {
    const left = outsider.mayReturn ? await bringBackOutsider(store, check, outsider) : outsider;
    if (left === undefined) gone.push(outsider);
    else still.push(left);
  });
  await changeSetAside(store, { added: [], gone });
  // After an interrupted change, the next one sets the same resources aside again.
  const back = gone.filter(({ isOld }) => isOld);
  const broughtBack = new Set(
    back.map(({ collection, resource }) => JSON.stringify([collection, resource.key])),
  ).size;
  const total = (await store.collections()).reduce((sum, { count }) => sum + count, 0);
  return {
    kept: total - broughtBack,
    setAside: still
      .filter(({ isOld }) => !isOld)
      .map(({ collection, resource: { key }, reason }) => ({ collection, key: String(key), reason })),
    broughtBack,
  };
}

/** The contract and the policy, which decide the resources that fit. */
interface Rules {
  readonly contract: Contract;
  readonly policy: Policy;
}

/** Sets aside the resources that no longer fit. It reads only collections whose rules changed, or all if unknown. */
export async function keepWhatFits(input: {
  readonly store: Store;
  readonly before: Rules | undefined;
  readonly now: Rules;
}): Promise<ChangeReport> {
  const { store, before, now } = input;
  const was = before && collectionRules(before.contract, before.policy);
  const is = collectionRules(now.contract, now.policy);
  const names = (await store.collections())
    .map(({ name }) => name)
    .filter((name) => was === undefined || was(name) !== is(name));
  return refitStore(store, createFitCheck(createCollections(now.contract, now.policy)), names);
}
