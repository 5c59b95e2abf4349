import { appendPointer } from '../json/pointer.ts';
import type { BodyItem, Operation, PathItem, Resource } from './contract.ts';
import { withoutNames } from './operation-reading.ts';
import { findBodyRelations } from './relations.ts';

type Known = Omit<Operation, 'items' | 'bodyItems'>;

const itemRoles = new Set(['read', 'replace', 'update', 'delete']);

/**
 * Finds the items that a body names: those that others refer to it by, and, where it replaces or updates one, its own.
 *
 * @param itemsOf - as {@link createItemFinder} gives it
 * @param operations - those of the document
 */
export function findBodyItems(
  operation: Operation,
  itemsOf: (template: string) => readonly PathItem[],
  operations: readonly Operation[],
): readonly BodyItem[] {
  const { kind } = operation;
  if (kind.kind !== 'create' && kind.kind !== 'replace' && kind.kind !== 'update') return [];
  const { resource, request } = kind;
  const itemOf = ({ collection }: Resource): PathItem | undefined =>
    operations
      .flatMap(({ items }) => items)
      .find(({ resource: named, path }) => named.collection === collection && path.split('{').length === 2);
  const toItem = (property: string, item: PathItem | undefined, isOwn: boolean): BodyItem[] =>
    item === undefined ? [] : [{ pointer: appendPointer('', ...request, property), item, isOwn }];
  const own =
    kind.kind === 'create' || resource.key.kind === 'none'
      ? []
      : toItem(resource.key.property, itemsOf(operation.path.template).at(-1) ?? itemOf(resource), true);
  const others = findBodyRelations(operation, operations).flatMap(({ property, resource: other, isList }) =>
    isList ? [] : toItem(property, itemOf(other), false),
  );
  return [...own, ...others];
}

/**
 * Finds the items that paths name, those whose resource has an operation that makes or lists them.
 *
 * @param operations - those of the document, with what they do
 * @returns gives the items of a path template, the outermost first
 *
 * @example
 * createItemFinder(operations)('/projects/{projectId}/tasks'); // [{ parameter: 'projectId', path: '/projects/{projectId}', … }]
 */
export function createItemFinder(operations: readonly Known[]): (template: string) => readonly PathItem[] {
  /** By the path without names, and without the slash that it may end in. */
  const byPath = new Map<string, { readonly resource: Resource; readonly end: '' | '/' }>();
  for (const { kind, path } of operations) {
    if (kind.kind === 'sample' || kind.resource.kind === 'singleton') continue;
    const isItem = itemRoles.has(kind.kind) && /\}[^/]*\/?$/u.test(path.template);
    const { collection } = kind.resource;
    const end = (isItem ? path.template : collection).endsWith('/') ? '/' : '';
    // Where no operation is on an item itself, what lies below it names it all the same.
    const own = isItem ? path.template : `${collection.replace(/\/$/u, '')}/{}`;
    const place = withoutNames(own).replace(/\/$/u, '');
    if (isItem || !byPath.has(place)) byPath.set(place, { resource: kind.resource, end });
  }
  return (template) => {
    const segments = template.split('/');
    return segments.flatMap((segment, index): PathItem[] => {
      const [[, parameter] = [], second] = segment.matchAll(/\{([^{}]+)\}/gu);
      if (parameter === undefined || second !== undefined) return [];
      const plain = segments.slice(0, index + 1).join('/');
      const known = byPath.get(withoutNames(plain));
      if (known === undefined) return [];
      const { resource, end } = known;
      const path = `${plain}${end}`;
      const of = (role: string): string | undefined =>
        operations.find(
          ({ kind }) =>
            kind.kind !== 'sample' && kind.kind === role && kind.resource.collection === resource.collection,
        )?.id;
      const put = operations.find(
        ({ kind, path: own }) =>
          kind.kind === 'replace' && kind.creates && withoutNames(own.template) === withoutNames(path),
      );
      const maker = of('create') ?? put?.id;
      const lister = of('list');
      return maker === undefined && lister === undefined
        ? []
        : [{ parameter, path, resource, maker, lister }];
    });
  };
}
