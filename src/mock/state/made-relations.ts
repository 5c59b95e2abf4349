import { concreteCollection } from '../../contract/router.ts';
import type { Operation, Resource } from '../../contract/contract.ts';
import { findBodyRelations, type Relation } from '../../contract/relations.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createEventLoopYield } from '../clock.ts';
import type { Collection } from './collections.ts';
import { without } from './take-row.ts';

/** An item that rows may point at. */
export interface Target {
  readonly resource: Resource;
  /** The concrete path of its collection. */
  readonly collection: string;
  /** Its own concrete path. */
  readonly path: string;
  readonly key: JsonValue;
}

/** Rows of a collection, of which the last were made up. */
interface MadeCollection {
  readonly collection: Collection;
  readonly rows: readonly JsonObject[];
  /** How many were there before. */
  readonly given: number;
}

/**
 * Has made-up rows point at items that are there: what names an item of another resource by its key gets the key of one, in
 * turn, of one above that of the path, and of its own resource that of one before it. What would point at nothing is left out
 * where it may be.
 *
 * @param how.operations - those of the document
 * @param how.listTargets - finds all items that are there
 * @param how.seed - says with which item the turns begin
 * @returns the rows by the concrete path of their collection, as far as they point anywhere
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
    const relations = findBodyRelations(each.collection.operation, operations);
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

/** The items by the template of their collection, and by its concrete path. */
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

/** What a row points at, and whether it does so even where it lacks the property: what is above it is known. */
interface Aim {
  readonly keys: readonly JsonValue[];
  readonly isAbove: boolean;
}

/** Prepares the choice of what the row at an index of a collection points at: items below the same one come first. */
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

/** The row as it points at something, where its collection takes it so; else as it is. */
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

/** The values of a row that no other may have, as one text; undefined where the row is not taken. */
function claimsOf(collection: Collection, row: JsonObject): string | undefined {
  const taken = collection.take(row);
  return typeof taken === 'string' ? undefined : collection.storedForm.toStored(taken, '').claims.join('\0');
}
