import { appendPointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';
import type { BodyItem, Operation, PathItem, Resource } from './contract.ts';
import { withoutNames } from './operation-reading.ts';
import { findPathLinks } from './path-links.ts';
import { findBodyRelations } from './relations.ts';

type Known = Omit<Operation, 'items' | 'bodyItems'>;

const itemRoles = new Set(['read', 'replace', 'update', 'delete']);

/**
 * Finds the items whose ids are in request bodies: related items, and the item that a replace or update changes.
 *
 * @param itemsOf - the result of {@link createItemFinder}
 * @param operations - those of the document
 * @returns a function from an operation to the items in its body; it searches once per operation
 */
export function createBodyItemFinder(
  itemsOf: (template: string) => readonly PathItem[],
  operations: readonly Operation[],
): (operation: Operation) => readonly BodyItem[] {
  const found = new Map<Operation, readonly BodyItem[]>();
  let plain: ReadonlyMap<string, PathItem> | undefined;
  let nested: ReadonlyMap<string, PathItem> | undefined;

  const firstItems = (isWanted: (item: PathItem) => boolean): ReadonlyMap<string, PathItem> =>
    firstOfEach(
      operations
        .flatMap(({ items }) => items)
        .filter(isWanted)
        .map((item) => [item.resource.collection, item]),
    );

  /** Returns an item whose path contains no other parameter, or only those that another path starts with. */
  function itemOf({ collection }: Resource, template: string): PathItem | undefined {
    plain ??= firstItems((item) => parentOf(item) === undefined);
    nested ??= firstItems((item) => parentOf(item) !== undefined);
    const below = nested.get(collection);
    const isShared = below !== undefined && withoutNames(template).startsWith(`${parentOf(below)}/`);
    return plain.get(collection) ?? (isShared ? below : undefined);
  }

  function find(operation: Operation): readonly BodyItem[] {
    const { kind, path } = operation;
    if (kind.kind !== 'create' && kind.kind !== 'replace' && kind.kind !== 'update') return [];
    const { resource, request } = kind;
    const toItem = (property: string, item: PathItem | undefined, isOwn: boolean): BodyItem[] =>
      item === undefined ? [] : [{ pointer: appendPointer('', ...request, property), item, isOwn }];
    const own =
      kind.kind === 'create' || resource.key.kind === 'none'
        ? []
        : toItem(
            resource.key.property,
            itemsOf(path.template).at(-1) ?? itemOf(resource, path.template),
            true,
          );
    const others = findBodyRelations(operation, operations).flatMap(({ property, resource: other, isList }) =>
      isList ? [] : toItem(property, itemOf(other, path.template), false),
    );
    return [...own, ...others];
  }

  return (operation) => {
    const known = found.get(operation) ?? find(operation);
    found.set(operation, known);
    return known;
  };
}

/** Returns the path of an item up to the last parameter before its id, without names. */
function parentOf({ path }: PathItem): string | undefined {
  return /^.*\}(?=.*\{)/u.exec(withoutNames(path))?.[0];
}

function firstOfEach<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  return new Map(entries.toReversed());
}

/**
 * Finds the items in paths whose resource has an operation that creates or lists them.
 *
 * @param operations - those of the document, with their kinds
 * @param root - the document; its links give the values of further parameters
 * @returns a function from a path template to its items, outermost first
 *
 * @example
 * createItemFinder(operations)('/projects/{projectId}/tasks'); // [{ parameter: 'projectId', path: '/projects/{projectId}', … }]
 */
export function createItemFinder(
  operations: readonly Known[],
  root: JsonObject,
): (template: string) => readonly PathItem[] {
  /** By the path without parameter names and without a final slash. */
  const byPath = new Map<string, { readonly resource: Resource; readonly end: '' | '/' }>();
  for (const { kind, path } of operations) {
    if (kind.kind === 'sample' || kind.resource.kind === 'singleton') continue;
    const isItem = itemRoles.has(kind.kind) && /\}[^/]*\/?$/u.test(path.template);
    const { collection } = kind.resource;
    const end = (isItem ? path.template : collection).endsWith('/') ? '/' : '';
    // Paths below an item contain its id even if no operation has the path of the item.
    const own = isItem ? path.template : `${collection.replace(/\/$/u, '')}/{}`;
    const place = withoutNames(own).replace(/\/$/u, '');
    if (isItem || !byPath.has(place)) byPath.set(place, { resource: kind.resource, end });
  }
  const byRole = firstOfEach(
    operations.flatMap(({ id, kind }) =>
      kind.kind === 'sample' ? [] : [[`${kind.kind} ${kind.resource.collection}`, id]],
    ),
  );
  const puts = firstOfEach(
    operations.flatMap(({ id, kind, path }) =>
      kind.kind === 'replace' && kind.creates ? [[withoutNames(path.template), id]] : [],
    ),
  );
  const hasPath = new Set(
    operations.flatMap(({ kind }) =>
      kind.kind !== 'sample' && itemRoles.has(kind.kind) ? [kind.resource.collection] : [],
    ),
  );
  const connected = new Set(
    operations.flatMap(({ id, kind }) =>
      kind.kind === 'create' && hasPath.has(kind.resource.collection) ? [id] : [],
    ),
  );
  const links = findPathLinks(root, operations, ({ id }) => connected.has(id));

  /** Returns an item whose id comes from a link, or from `Location` if the path has only this parameter. */
  function linkedItem(parameter: string, path: string, template: string): PathItem[] {
    const byLocation = template.split('{').length === 2 ? links.byLocation : undefined;
    const link = links.byPath.get(withoutNames(path)) ?? byLocation;
    if (link === undefined) return [];
    const collection = path.slice(0, path.lastIndexOf('/'));
    const key = { kind: 'none', evidence: 'a link gives its id' } as const;
    const resource = { name: parameter, kind: 'collection', collection, parameter, key } as const;
    const { source: maker, expression } = link;
    const item = { parameter, path, resource: { ...resource, parent: undefined, isKept: false } };
    return [{ ...item, maker, lister: undefined, expression }];
  }

  return (template) => {
    const segments = template.split('/');
    return segments.flatMap((segment, index): PathItem[] => {
      const [[, parameter] = [], second] = segment.matchAll(/\{([^{}]+)\}/gu);
      if (parameter === undefined || second !== undefined) return [];
      const plain = segments.slice(0, index + 1).join('/');
      const known = byPath.get(withoutNames(plain));
      if (known === undefined) return linkedItem(parameter, plain, template);
      const { resource, end } = known;
      const path = `${plain}${end}`;
      const maker = byRole.get(`create ${resource.collection}`) ?? puts.get(withoutNames(path));
      const lister = byRole.get(`list ${resource.collection}`);
      return maker === undefined && lister === undefined
        ? linkedItem(parameter, plain, template)
        : [{ parameter, path, resource, maker, lister }];
    });
  };
}
