import type { Contract, Operation } from './contract.ts';
import { actsOnService } from './service-operations.ts';

/** Rules that select operations of a document as targets. */
export interface SelectionRules {
  /** The methods that may be sent. @defaultValue all */
  readonly methods?: ReadonlySet<string> | undefined;
  /** Whether requests may change items that the client did not create, or the whole service. @defaultValue false */
  readonly changesOthers?: boolean;
  /** Operations that the user left out. @defaultValue none */
  readonly excluded?: readonly Operation[] | undefined;
}

/** Operations excluded for one reason. */
export interface LeftOut {
  readonly why: 'excluded' | 'document-error' | 'method' | 'items-of-others';
  /** Names the error in the document: `error in tasks.yaml:22`. */
  readonly error?: string | undefined;
  readonly operations: readonly Operation[];
}

/** The targets of a run or of `learn`. Excluded operations still create the items that targets need. */
export interface OperationSelection {
  readonly targets: readonly Operation[];
  /** Operations with errors in the document come first. */
  readonly leftOut: readonly LeftOut[];
}

/** Decides which operations of a document are targets. All commands that send requests use it. */
export function selectOperations(
  { operations }: Pick<Contract, 'operations'>,
  { methods, changesOthers = false, excluded = [] }: SelectionRules,
): OperationSelection {
  const left = new Map<string, LeftOut & { readonly operations: Operation[] }>();
  const excludedSet = new Set(excluded);
  const targets = operations.filter((operation) => {
    if (excludedSet.has(operation)) return false;
    const { isUnclear, unclearReason, method } = operation;
    const mayBeSent = methods === undefined ? changesOthers || isOfOwnItems(operation) : methods.has(method);
    if (!isUnclear && mayBeSent) return true;
    const why = methods === undefined ? 'items-of-others' : 'method';
    const one: LeftOut = isUnclear
      ? { why: 'document-error', error: unclearReason, operations: [] }
      : { why, operations: [] };
    const key = `${one.why} ${one.error}`;
    const group = left.get(key) ?? { ...one, operations: [] };
    left.set(key, group);
    group.operations.push(operation);
    return false;
  });
  const byUser: readonly LeftOut[] = excluded.length === 0 ? [] : [{ why: 'excluded', operations: excluded }];
  const leftOut = [...byUser, ...left.values()].toSorted(
    (a, b) => Number(b.error !== undefined) - Number(a.error !== undefined),
  );
  return { targets, leftOut };
}

/** Returns whether an operation can only change items that the client created. POST may set a singleton or the service. */
function isOfOwnItems(operation: Operation): boolean {
  const { items, bodyItems, method, kind } = operation;
  if (actsOnService(operation)) return false;
  const sets = method === 'POST' && 'resource' in kind && kind.resource.kind === 'singleton';
  if (!sets && !['PUT', 'PATCH', 'DELETE'].includes(method)) return true;
  const own = items.at(-1) ?? bodyItems().find(({ isOwn }) => isOwn)?.item;
  return own?.maker !== undefined;
}

/** The maximum number of listed names. */
const mostNamed = 20;

/** Names operations by method and path, a few of them if they are many. */
export function nameOperations(operations: readonly Operation[]): string {
  return nameSome(operations.map(({ method, path }) => `${method} ${path.template}`));
}

/** Lists names, a few of them if they are many. */
export function nameSome(names: readonly string[]): string {
  if (names.length <= mostNamed) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${(names.length - 3).toLocaleString('en-US')} other operations`;
}

/** Describes operations that the user left out, as something that was not checked. */
export function describeExcluded(operations: readonly Operation[]): {
  readonly what: string;
  readonly reason: string;
  readonly excluded: number;
} {
  return {
    what: nameOperations(operations),
    reason: 'left out by --include and --exclude options',
    excluded: operations.length,
  };
}
