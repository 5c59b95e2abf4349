import type { Operation, PathItem, Resource } from './contract.ts';
import { withoutNames } from './operation-reading.ts';

type Known = Omit<Operation, 'items'>;

const itemRoles = new Set(['read', 'replace', 'update', 'delete']);

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
  const byPath = new Map<string, Resource>();
  for (const { kind, path } of operations) {
    if (kind.kind === 'sample' || kind.resource.kind === 'singleton') continue;
    const isItem = itemRoles.has(kind.kind) && /\}[^/]*$/u.test(path.template);
    // Where no operation is on an item itself, what lies below it names it all the same.
    const own = isItem ? withoutNames(path.template) : `${withoutNames(kind.resource.collection)}/{}`;
    if (isItem || !byPath.has(own)) byPath.set(own, kind.resource);
  }
  return (template) => {
    const segments = template.split('/');
    return segments.flatMap((segment, index): PathItem[] => {
      const [[, parameter] = [], second] = segment.matchAll(/\{([^{}]+)\}/gu);
      if (parameter === undefined || second !== undefined) return [];
      const path = segments.slice(0, index + 1).join('/');
      const resource = byPath.get(withoutNames(path));
      if (resource === undefined) return [];
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
