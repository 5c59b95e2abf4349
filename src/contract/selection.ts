import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord } from '../errors/suggest.ts';
import { resolvePointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { Contract, Operation } from './contract.ts';

/** Patterns that operations match. In names and paths, `*` matches a part of a segment, and `**` any text. */
interface OperationPatterns {
  /** Ids of operations; `GET /orders` for an operation without one. */
  readonly operations?: readonly string[];
  readonly tags?: readonly string[];
  /** Path templates as in the document: `/admin/**`. */
  readonly paths?: readonly string[];
  readonly methods?: readonly string[];
}

/** The operations of a document that are meant. */
export interface Selection {
  /** An operation must match one pattern of each kind. @defaultValue all operations */
  readonly include?: OperationPatterns;
  /** An operation that matches any pattern is excluded. @defaultValue none */
  readonly exclude?: OperationPatterns & { readonly deprecated?: boolean };
}

const kinds = ['operations', 'tags', 'paths', 'methods'] as const;

/** The singular of each kind, as in messages and options. */
const singular = { operations: 'operation', tags: 'tag', paths: 'path', methods: 'method' } as const;

function valuesOf(
  operation: Operation,
  kind: keyof OperationPatterns,
  { root }: Contract,
): readonly string[] {
  const { id, method, path, pointer } = operation;
  if (kind === 'operations') return [id, `${method} ${path.template}`];
  if (kind === 'paths') return [path.template];
  if (kind === 'methods') return [method];
  const object = resolvePointer(root, pointer);
  const tags = isJsonObject(object) ? object['tags'] : undefined;
  const own = Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  return withParents(own, root);
}

/** Returns tags with those above them, which select them too (`parent`, OpenAPI 3.2 §4.22). */
function withParents(tags: readonly string[], { tags: declared }: Contract['root']): readonly string[] {
  const objects = Array.isArray(declared) ? declared.filter(isJsonObject) : [];
  const all = new Set(tags);
  // A Set also iterates over values that are added during the loop.
  for (const tag of all) {
    const parent = objects.find(({ name }) => name === tag)?.['parent'];
    if (typeof parent === 'string') all.add(parent);
  }
  return [...all];
}

/** Returns whether the document deprecates an operation. */
export function isDeprecated({ pointer }: Operation, { root }: Contract): boolean {
  const object = resolvePointer(root, pointer);
  return isJsonObject(object) && object['deprecated'] === true;
}

/** Returns an expression for a pattern. A pattern that ends in `/**` matches the path before it too. */
function toExpression(pattern: string, kind: keyof OperationPatterns): RegExp {
  const source = pattern
    .replace(/\/\*\*$/u, '\u0000')
    .replaceAll(/[\\^$.*+?()[\]{}|/]+/gu, (text) => [...text].map((letter) => `\\${letter}`).join(''))
    .replaceAll('\\*\\*', '.*')
    .replaceAll('\\*', '[^/]*')
    .replace('\u0000', '(?:/.*)?');
  return new RegExp(`^${source}$`, kind === 'methods' ? 'iu' : 'u');
}

/** Returns a test for patterns of one kind. @throws ClocheError OPTION_INVALID for a pattern that matches nothing */
function createTest(
  contract: Contract,
  kind: keyof OperationPatterns,
  { patterns, option }: { readonly patterns: readonly string[]; readonly option: string },
): (operation: Operation) => boolean {
  const expressions = patterns.map((pattern) => {
    const expression = toExpression(pattern, kind);
    const known = [
      ...new Set(contract.operations.flatMap((operation) => valuesOf(operation, kind, contract))),
    ];
    if (known.some((value) => expression.test(value))) return expression;
    const near = closestWord(pattern, known);
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--${option}-${singular[kind]} ${pattern}`,
      reason: `no operation of ${contract.title} has this ${kind === 'operations' ? 'id' : singular[kind]}`,
      remedy:
        near === undefined ? 'Run cloche test --list to see the operations' : `Perhaps ${near} was meant`,
    });
  });
  return (operation) =>
    valuesOf(operation, kind, contract).some((value) =>
      expressions.some((expression) => expression.test(value)),
    );
}

/**
 * Lists the operations that a selection leaves out.
 *
 * @throws ClocheError OPTION_INVALID for a pattern that matches no operation, and if no operation is left
 *
 * @example
 * listExcluded(contract, { include: { tags: ['orders'] }, exclude: { paths: ['/orders/admin/**'] } });
 */
export function listExcluded(
  contract: Contract,
  { include = {}, exclude = {} }: Selection,
): readonly Operation[] {
  const toTests = (patterns: OperationPatterns, option: string) =>
    kinds.flatMap((kind) => {
      const given = patterns[kind] ?? [];
      return given.length === 0 ? [] : [createTest(contract, kind, { patterns: given, option })];
    });
  const included = toTests(include, 'include');
  const excluded = toTests(exclude, 'exclude');
  const left = contract.operations.filter(
    (operation) =>
      !included.every((test) => test(operation)) ||
      excluded.some((test) => test(operation)) ||
      (exclude.deprecated === true && isDeprecated(operation, contract)),
  );
  if (left.length > 0 && left.length === contract.operations.length) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'select operations of',
      subject: contract.title,
      reason: 'the patterns leave none',
      remedy: 'Include more, or exclude less',
    });
  }
  return left;
}

/** Returns a contract without some operations, as if the document lacked them. */
export function withoutOperations(contract: Contract, excluded: readonly Operation[]): Contract {
  if (excluded.length === 0) return contract;
  const left = new Set(excluded);
  return { ...contract, operations: contract.operations.filter((operation) => !left.has(operation)) };
}
