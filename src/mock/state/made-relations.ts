import { concreteCollection } from '../../contract/router.ts';
import type { Operation, Resource } from '../../contract/contract.ts';
import { findItemRelations, type Relation } from '../../contract/relations.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createEventLoopYield } from '../clock.ts';
import type { Collection } from './collections.ts';
import { without } from './take-row.ts';

/** An item that rows may reference. */
export interface Target {
  readonly resource: Resource;
  /** The concrete path of its collection. */
  readonly collection: string;
  /** The concrete path of the item. */
  readonly path: string;
  readonly key: JsonValue;
}

/** Rows of a collection, the generated ones last. */
interface MadeCollection {
  readonly collection: Collection;
  readonly rows: readonly JsonObject[];
  /** The number of rows before them. */
  readonly given: number;
}

/**
 * Makes generated rows reference existing items. A reference to another resource gets the id of one of its items, in
 * turn; to a parent, that of the parent in the path; to the same resource, that of an earlier item. A reference without
 * a target is omitted if it is optional.
 *
 * @param how.operations - all operations of the document
 * @param how.listTargets - finds all existing items
 * @param how.seed - decides the first item
 * @returns the rows by the concrete path of their collection, if they have references
 */
export async function relateRows(
  made: readonly MadeCollection[],
  {
    operations,
    listTargets,
    seed,
  }: {
    readonly operations: readonly Operation[];
    readonly listTargets: () => Promise<readonly Target[]>;
    readonly seed: number;
  },
): Promise<Readonly<Record<string, readonly JsonObject[]>>> {
  const relating = made.flatMap((each) => {
    const relations = findItemRelations(each.collection.operation, operations);
    return relations.length === 0 ? [] : [{ ...each, relations }];
  });
  if (relating.length === 0) return {};
  const yieldToEventLoop = createEventLoopYield(100);
  const byPlace = groupTargets(await listTargets());
  const related: Record<string, readonly JsonObject[]> = {};
  for (const { collection, rows, given, relations } of relating) {
    const finders = relations.map((relation) => ({
      relation,
      find: prepareFinder(collection, relation, byPlace),
    }));
    const all = rows.slice(0, given);
    for (const [offset, row] of rows.slice(given).entries()) {
      const index = given + offset;
      all.push(
        finders.reduce(
          (into, { relation, find }) => pointRow(collection, into, { ...relation, ...find(index, seed) }),
          row,
        ),
      );
      await yieldToEventLoop();
    }
    related[collection.name] = all;
  }
  return related;
}

/** Groups items by the template of their collection, and by its concrete path. */
function groupTargets(targets: readonly Target[]): ReadonlyMap<string, readonly Target[]> {
  const groups = new Map<string, Target[]>();
  for (const target of targets) {
    for (const place of new Set([target.resource.collection, target.collection])) {
      const group = groups.get(place);
      if (group === undefined) {
        groups.set(place, [target]);
      } else {
        group.push(target);
      }
    }
  }
  return groups;
}

/** The ids that a row references, and whether a row without the property gets it too, because its parent is known. */
interface Aim {
  readonly keys: readonly JsonValue[];
  readonly isAbove: boolean;
}

/** Prepares the choice of the items that the row at an index references: items with the same parent come first. */
function prepareFinder(
  { name, resource: own }: Collection,
  { resource, isList }: Relation,
  byPlace: ReadonlyMap<string, readonly Target[]>,
): (index: number, seed: number) => Aim {
  const near = byPlace.get(concreteCollection(resource, name));
  const targets = near ?? byPlace.get(resource.collection) ?? [];
  const above = own.collection.startsWith(`${resource.collection}/`)
    ? targets.find(({ path }) => name.startsWith(`${path}/`))
    : undefined;
  if (above !== undefined) return () => ({ keys: [above.key], isAbove: true });
  const isSelf = resource.collection === own.collection;
  return (index, seed) => {
    const before = isSelf ? Math.min(index, targets.length) : targets.length;
    const count = Math.min(before, isList ? 2 : 1);
    const keys = Array.from(
      { length: count },
      (_, next) => targets[(index + seed + next) % before]?.key ?? null,
    );
    return { keys, isAbove: false };
  };
}

/** Sets a reference of a row if its collection accepts the result; else returns the row unchanged. */
function pointRow(
  collection: Collection,
  row: JsonObject,
  { property, isList, keys, isAbove }: Relation & Aim,
): JsonObject {
  if (!isAbove && !Object.hasOwn(row, property)) return row;
  const texts = keys.map((key) => (typeof key === 'string' ? key : stringifyJson(key)));
  const changed =
    keys.length === 0
      ? [without(row, property)]
      : [keys, texts].map((each) => ({ ...row, [property]: (isList ? [...each] : each[0]) ?? null }));
  const claims = claimsOf(collection, row);
  return changed.find((each) => claimsOf(collection, each) === claims) ?? row;
}

/** Returns the unique values of a row as one text; undefined if the row is rejected. */
function claimsOf(collection: Collection, row: JsonObject): string | undefined {
  const taken = collection.take(row);
  return typeof taken === 'string' ? undefined : collection.storedForm.toStored(taken, '').claims.join('\0');
}
