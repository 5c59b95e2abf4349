import { hasListedIds } from '../src/arbitrary/key-style.ts';
import { plainRequest } from '../src/arbitrary/request.ts';
import type { Contract, Operation, OperationKind, Resource } from '../src/contract/contract.ts';

/** The operations of a resource that a scenario can use. */
export interface LivingResource {
  readonly resource: Resource;
  /** Undefined for a singleton. */
  readonly maker: Operation | undefined;
  readonly read: Operation | undefined;
  readonly list: Operation | undefined;
  readonly replace: Operation | undefined;
  readonly update: Operation | undefined;
  readonly remove: Operation | undefined;
  /** The parent of its collections, if it can be created. */
  readonly parent: LivingResource | undefined;
}

/** Finds the resources that can be created and read, parents first. */
export function findLiving({ operations }: Contract): readonly LivingResource[] {
  const living = new Map<string, LivingResource>();
  const makers = operations.filter((operation) => {
    const { kind, items, id } = operation;
    const isSingleton =
      (kind.kind === 'replace' || kind.kind === 'update') && kind.resource.kind === 'singleton';
    const creates =
      kind.kind === 'create' || (kind.kind === 'replace' && kind.creates && items.at(-1)?.maker === id);
    // Items must not share an id.
    return isSingleton || (creates && !hasListedIds(operation));
  });
  const roles = new Map<string, Operation>();
  for (const operation of operations) {
    const { kind } = operation;
    const role = kind.kind === 'sample' ? '' : `${kind.kind} ${kind.resource.collection}`;
    if (!roles.has(role)) roles.set(role, operation);
  }
  // A parent has the shorter path.
  for (const writer of makers.toSorted((left, right) => depthOf(left) - depthOf(right))) {
    if (writer.kind.kind === 'sample') continue;
    const { resource } = writer.kind;
    const { collection } = resource;
    if (living.has(collection)) continue;
    const of = (role: OperationKind['kind']): Operation | undefined => roles.get(`${role} ${collection}`);
    living.set(collection, {
      resource,
      maker: resource.kind === 'singleton' ? undefined : writer,
      read: of('read'),
      list: of('list'),
      replace: of('replace'),
      update: of('update'),
      remove: of('delete'),
      parent: living.get(resource.parent ?? ''),
    });
  }
  return [...living.values()];
}

const usable = new WeakMap<LivingResource, LivingResource>();

/** Returns the resource without operations for which no plain request is possible. */
export function usableOf(living: LivingResource): LivingResource {
  const known = usable.get(living);
  if (known !== undefined) return known;
  const of = (operation: Operation | undefined): Operation | undefined =>
    operation === undefined || plainRequest(operation).problem !== undefined ? undefined : operation;
  const { maker, read, list, replace, update, remove, parent } = living;
  const above = parent && usableOf(parent);
  const made: LivingResource = {
    ...living,
    maker: of(maker),
    read: of(read),
    list: of(list),
    replace: of(replace),
    update: of(update),
    remove: of(remove),
    parent: above?.maker === undefined && above?.replace === undefined ? undefined : above,
  };
  usable.set(living, made);
  return made;
}

const rootOf = ({ resource, parent }: LivingResource): Resource =>
  parent === undefined ? resource : rootOf(parent);

/** Names the group of each resource: its descendants, and those that its items refer to and may be deleted with. */
export function groupsOf(all: readonly LivingResource[]): ReadonlyMap<LivingResource, string> {
  const groups = new Map<string, Set<string>>();
  for (const each of all) {
    const names = [
      rootOf(each).collection,
      ...[each.maker, each.replace, each.update].flatMap(
        (operation) => operation?.bodyItems().map(({ item }) => item.resource.collection) ?? [],
      ),
    ];
    const joined = new Set([...names, ...names.flatMap((name) => [...(groups.get(name) ?? [])])]);
    for (const name of joined) groups.set(name, joined);
  }
  const written = new Map(
    [...new Set(groups.values())].map((names) => [names, [...names].toSorted().join(' ')]),
  );
  const groupOf = (living: LivingResource): string => {
    const names = groups.get(rootOf(living).collection);
    return (names && written.get(names)) ?? '';
  };
  return new Map(all.map((each) => [each, groupOf(each)]));
}

const depthOf = ({ path }: Operation): number => path.template.split('/').length;
