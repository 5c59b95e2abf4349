import { createParameterCheck } from '../../contract/check-parameters.ts';
import type { Contract, Operation, Resource, ResourceKey } from '../../contract/contract.ts';
import { concreteCollection, createRouter, parsePathTemplate } from '../../contract/router.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import { canonicalPath } from '../../http/path.ts';
import { toText } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import { type ItemPlace, placesOf, singletonKey } from '../handlers/item-places.ts';
import { toValidationMode } from '../handlers/stored-form.ts';
import { readFile, toSingleton } from '../handlers/stored-samples.ts';
import { createEventLoopYield } from '../clock.ts';
import { shorten } from '../message.ts';
import {
  type Store,
  type StoredResource,
  type StoreKey,
  type StoreOutcome,
  toStoreKey,
} from '../store/store.ts';
import { type BadRow, fileOfRow, type GivenRows, placeOfRow, type StateRows, withoutSchema } from './rows.ts';
import { prepareRows, type RowForm, type TakenRow } from './take-row.ts';

/** A collection of the contract, by its concrete path, and the import of its rows; a singleton is one with one row. */
export interface Collection extends Omit<RowForm, 'take'> {
  readonly name: string;
  readonly resource: Resource;
  readonly key: ResourceKey;
  /** Whether resources may have the same id. */
  readonly takesDuplicates: boolean;
  /** The places where the parent of its items may be stored; undefined if they need none. */
  readonly parents: readonly [ItemPlace, ...ItemPlace[]] | undefined;
  readonly take: (row: unknown) => TakenRow | string;
}

/** The collections of a contract. */
export interface Collections {
  /** The operations of the contract. */
  readonly operations: readonly Operation[];
  /** The resources of the contract, in the order of the document. */
  readonly uses: readonly ResourceUse[];
  /** Returns the resource that has a collection at a concrete path. */
  readonly resourceAt: (path: string) => Resource | undefined;
  /** The paths, without parameters, of the collections that requests can fill, in the order of the document. */
  readonly names: readonly string[];
  /** Returns the collection at a concrete path, or the reason why there is none, in words without a full stop. */
  readonly find: (path: string) => Collection | string;
}

/** A resource with its operations. */
interface ResourceUse {
  readonly resource: Resource;
  readonly operations: readonly [Operation, ...Operation[]];
  /** Whether a file is stored instead of an object; undefined unless it replaces the sample of a GET. */
  readonly isFile?: boolean;
}

/** Returns the resources of a contract with their operations, in the order of the document. */
export function groupByResource({ operations }: Pick<Contract, 'operations'>): readonly ResourceUse[] {
  const uses = new Map<string, ResourceUse>();
  for (const operation of operations) {
    if (operation.kind.kind === 'sample') continue;
    const { resource } = operation.kind;
    const known = uses.get(resource.collection);
    uses.set(resource.collection, {
      resource,
      operations: known === undefined ? [operation] : [...known.operations, operation],
    });
  }
  return [...uses.values()];
}

/** Creates a function that finds the resource with a collection at a concrete path. */
function createResourceRouter(uses: readonly ResourceUse[]) {
  const entries = new Map(
    uses.map((use): readonly [Operation, ResourceUse] => {
      const path = parsePathTemplate(use.resource.collection);
      return [{ ...use.operations[0], path, method: 'GET' }, use];
    }),
  );
  const route = createRouter({ operations: [...entries.keys()] });
  return (path: string) => {
    const found = route(path);
    const [operation] = found?.operations.values() ?? [];
    const use = operation && entries.get(operation);
    return found === undefined || use === undefined ? undefined : { use, parameters: found.parameters };
  };
}

/** Finds resources by concrete paths; a GET with a sample response is a singleton at its path. */
function findUses(contract: Pick<Contract, 'operations'>) {
  const uses = groupByResource(contract);
  const route = createResourceRouter(uses);
  const { operations } = contract;
  // Most mocks never need them, and finding them reads many schemas.
  const singletons = once(() => operations.flatMap((each) => toSingleton(each, operations) ?? []));
  const routeSingletons = once(() => createResourceRouter(singletons()));
  return { uses, singletons, route: (path: string) => route(path) ?? routeSingletons()(path) };
}

/** Returns the contract with the collections and objects at these paths marked as filled without a request. */
export function keepFilled(contract: Contract, paths: readonly string[]): Contract {
  if (paths.length === 0) return contract;
  const { route } = findUses(contract);
  const filled = new Set(
    paths.flatMap((path) => {
      const resource = route(canonicalPath(path))?.use.resource;
      if (resource === undefined || resource.isKept) return [];
      return [resource.kind === 'singleton' ? `GET ${resource.collection}` : resource.collection];
    }),
  );
  if (filled.size === 0) return contract;
  const operations = contract.operations.map((operation): Operation => {
    const { kind } = operation;
    const isSample = kind.kind === 'sample';
    const name = isSample ? `${operation.method} ${operation.path.template}` : kind.resource.collection;
    if (!filled.has(name)) return operation;
    const filledKind = isSample
      ? ({ ...kind, isFilled: true } as const)
      : { ...kind, resource: { ...kind.resource, isKept: true } };
    return { ...operation, kind: filledKind };
  });
  return { ...contract, operations };
}

/** Finds the collections of a contract. Each is prepared at its first use. */
export function createCollections(contract: Pick<Contract, 'operations'>, policy: Policy): Collections {
  const { uses, singletons, route } = findUses(contract);
  const resources = uses.map(({ resource }) => resource);
  const templates = once(() => [...uses, ...singletons()].map(({ resource }) => resource.collection));
  const names = resources
    .filter(({ collection, isKept, kind }) => isKept && kind === 'collection' && !collection.includes('{'))
    .map(({ collection }) => collection);
  const known = new Map<ResourceUse, ReturnType<typeof prepare>>();

  function prepareOnce(use: ResourceUse): ReturnType<typeof prepare> {
    const prepared = known.get(use) ?? prepare(use, resources, policy);
    known.set(use, prepared);
    return prepared;
  }

  function explainMissing(path: string): string {
    const read = createRouter(contract)(canonicalPath(path))?.operations.get('GET');
    if (read?.kind.kind === 'sample')
      return `${path} cannot be filled: GET ${read.path.template} does not answer with a JSON object`;
    const all = templates();
    if (all.length === 0) return `${shorten(path)} is not a collection: the document has no resources`;
    const near = all.length === 1 ? undefined : closestWord(path, all);
    const meant = near === undefined ? '' : `; did you mean ${near}?`;
    const more = all.length > 10 ? ', …' : '';
    return `${shorten(path)} is not a collection of this document (it has ${all.slice(0, 10).join(', ')}${more}${meant})`;
  }

  return {
    operations: contract.operations,
    uses,
    names,
    resourceAt: (path) => (path.includes('{') ? undefined : route(canonicalPath(path))?.use.resource),
    find(path) {
      const name = canonicalPath(path);
      const found = path.includes('{') ? undefined : route(name);
      if (found === undefined) {
        return path.includes('{') && templates().includes(path)
          ? `${path} has parameters: name the concrete path, as "${path.replaceAll(/\{[^{}]*\}/gu, '7')}"`
          : explainMissing(path);
      }
      const { use, parameters } = found;
      const { form, checkPath, takesDuplicates, parent } = prepareOnce(use);
      const problem = checkPath(parameters);
      if (problem !== undefined) return `${shorten(path)} is not a collection of this document: ${problem}`;
      const above = parent && concreteCollection(parent, name);
      const depth = above?.replace(/\/$/u, '').split('/').length ?? 0;
      return {
        ...form,
        name,
        resource: use.resource,
        key: use.resource.key,
        takesDuplicates,
        parents: above === undefined ? undefined : placesOf(above, name.split('/')[depth] ?? '', false),
        // A GET shows exactly the given object.
        complete: use.isFile === undefined ? form.complete : (taken) => taken,
        // `as`: readFile checks each property that it reads.
        take: (row) =>
          use.isFile === true && readFile(row as JsonValue) === undefined
            ? 'a file is { "contentType": "image/png", "base64": "…" }'
            : form.take(row, name),
      };
    },
  };
}

/** Returns a function that creates a value at its first call and returns the same value later. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function prepare({ resource, operations }: ResourceUse, resources: readonly Resource[], whole: Policy) {
  const form = prepareRows(resource, operations, whole);
  const { key, collection } = resource;
  const policy = policyOf(whole, form.operation.id);
  // The names of parameters may differ between operations.
  const owner = operations.find(({ path }) => path.template.startsWith(collection)) ?? form.operation;
  const checks = owner.parameters
    .filter(({ in: place, name }) => place === 'path' && collection.includes(`{${name}}`))
    .map((parameter) => createParameterCheck(parameter, toValidationMode(policy)));
  return {
    form,
    takesDuplicates: key.kind === 'client' && policy['duplicate-key'] === 'accept',
    /** Returns the error in the values of the path parameters; undefined if there is none. */
    checkPath: (path: Readonly<Record<string, string>>): string | undefined => {
      const source = { path, query: [], header: () => undefined };
      return checks.map((check) => check(source)).find((each) => each !== undefined)?.reason;
    },
    parent: resources.find((each) => each.isKept && each.collection === resource.parent),
  };
}

/** Reports that a unique value already exists, without a full stop; a claim is its name, a NUL and the value. */
export function describeClaim(claim: string): string {
  const name = shorten(claim.slice(0, claim.indexOf('\0')));
  return `the value of "${name}" is taken: another resource has it, and it must be unique`;
}

/** Returns the number of segments of the concrete path of a collection: a parent has fewer than its children. */
export const depthOf = (name: string): number => name.split('/').length;

/** Explains that a required parent is missing, without a full stop. */
export function describeOrphan([{ collection, id }]: NonNullable<Collection['parents']>): string {
  return `there is no ${shorten(toText(id ?? null))} in ${shorten(collection)} that it could belong to`;
}

/** Explains why a store rejected a row, without a full stop; undefined if it stored the row or already has its id. */
export function describeOutcome(outcome: StoreOutcome, { parents }: Collection): string | undefined {
  if (outcome.kind === 'claim-taken') return describeClaim(outcome.claim);
  return outcome.kind === 'parent-missing' && parents !== undefined ? describeOrphan(parents) : undefined;
}

/**
 * Stores a row in place of the resource with its id. A row without an id gets the next free one, as in a create.
 * Returns the stored resource, or the reason for the rejection, in words without a full stop.
 *
 * @param row.stored - the stored form of a row with an id, if known
 */
export async function keepRow(
  store: Store,
  row: Pick<RowCandidate, 'collection' | 'taken'> & { readonly stored?: StoredResource },
): Promise<StoredResource | string> {
  const { collection, taken, stored: known } = row;
  const { storedForm, name, parents } = collection;
  const key = keyOfRow(collection, taken);
  if (key !== undefined) {
    const stored = { ...(known ?? storedForm.toStored(taken, key)), parents };
    return describeOutcome(await store.replace(stored), collection) ?? stored;
  }
  for (;;) {
    const made = storedForm.makeKey(await store.nextNumber(name));
    const resource = storedForm.withMadeKey(taken.resource, made);
    const stored = storedForm.toStored({ ...taken, resource, text: undefined, parents }, toStoreKey(made));
    const outcome = await store.insertIfAbsent(stored);
    if (outcome.kind !== 'key-taken') return describeOutcome(outcome, collection) ?? stored;
  }
}

/** Returns the store key of a row; undefined if the service generates it. */
function keyOfRow({ resource }: Collection, { key }: TakenRow): StoreKey | undefined {
  if (resource.kind === 'singleton') return singletonKey;
  return key === undefined ? undefined : toStoreKey(key);
}

/** A row that its collection accepts. */
export interface RowCandidate {
  readonly collection: Collection;
  /** Its index among the rows of the collection, from 0. */
  readonly index: number;
  readonly row: unknown;
  readonly taken: TakenRow;
  /** Undefined if the service generates its id. */
  readonly key: StoreKey | undefined;
}

/**
 * Checks each row like the body of a create, and yields to other requests.
 *
 * @param now - the time for values that the service generates, in milliseconds since 1970
 */
export async function takeRows(
  rows: StateRows,
  collections: Collections,
  now: number,
): Promise<{ readonly candidates: readonly RowCandidate[]; readonly bad: readonly BadRow[] }> {
  const yieldToEventLoop = createEventLoopYield();
  const candidates: RowCandidate[] = [];
  const bad: BadRow[] = [];
  for (const [path, list] of Object.entries(rows)) {
    const collection = collections.find(path);
    if (typeof collection === 'string') {
      bad.push({ collection: path, index: 0, place: placeOfRow(list[0]), reason: collection });
      continue;
    }
    for (const [index, row] of list.entries()) {
      await yieldToEventLoop();
      const taken = collection.take(row);
      if (typeof taken === 'string') {
        bad.push({ collection: path, index, place: placeOfRow(row), reason: taken });
      } else {
        const whole = collection.complete(taken, now);
        candidates.push({ collection, index, row, taken: whole, key: keyOfRow(collection, taken) });
      }
    }
  }
  return { candidates, bad };
}

/** `as` is necessary: Array.isArray does not narrow a read-only list. */
function isList(rows: GivenRows | JsonObject | readonly JsonObject[]): rows is readonly JsonObject[] {
  return Array.isArray(rows);
}

function unusable(subject: string, reason: string, names: readonly string[]): ClocheError {
  const [name = '/orders'] = names;
  return new ClocheError('DATA_INVALID', {
    attempt: 'import',
    subject,
    reason,
    remedy: `Give rows by the path of their collection: { "${name}": [ … ] }`,
  });
}

/**
 * Converts external data to rows by the path of their collection.
 *
 * @throws ClocheError DATA_INVALID if it has another shape, or if rows without a path may belong to several collections
 */
export function toStateRows(given: GivenRows, { names, resourceAt }: Collections): StateRows {
  if (isList(given)) {
    const [name] = names;
    if (name !== undefined && names.length === 1) return { [name]: given };
    const reason =
      names.length === 0
        ? 'they are rows alone, and the contract has no collection without parameters'
        : `they are rows alone, and may belong to ${names.slice(0, 10).join(' or ')}`;
    throw unusable(fileOfRow(given[0]) ?? 'a list of rows', reason, names);
  }
  if (typeof given !== 'object' || given === null) {
    throw unusable(String(given), 'it is neither a list of rows nor an object of such lists', names);
  }
  const rows = Object.entries(withoutSchema(given)).map(([path, list]): [string, readonly JsonObject[]] => {
    if (isList(list)) return [path, list];
    const isObject = typeof list === 'object' && list !== null;
    // The error of an unknown path is reported for the row.
    if (isObject && resourceAt(path)?.kind !== 'collection') return [path, [list]];
    throw unusable(placeOfRow(list) ?? path, 'it is not a list of rows', names);
  });
  return Object.fromEntries(rows);
}
