import type { ErrorObject } from 'ajv';
import type { JsonPointer } from '../json/json-pointer.ts';
import { chooseBranch } from './choose-branch.ts';
import type { SchemaProblem } from './schema-problem.ts';
import { toSchemaProblem } from './to-schema-problem.ts';

/** How many of the compiler's errors are looked at; a long array can hold one in each item. */
const mostErrors = 1000;

/**
 * The compiler's errors as problems, one for each cause.
 *
 * A failed `anyOf` or `oneOf` is stood for by its likeliest branch; a value of the wrong type by that alone;
 * what `unevaluatedProperties` says of an object that has other problems is left out, since it comes of them.
 *
 * @param places - the places of the objects of the prepared schema
 */
export function listSchemaProblems(
  errors: readonly ErrorObject[],
  places: WeakMap<object, JsonPointer>,
): readonly SchemaProblem[] {
  const first = errors.length > mostErrors ? cutBetweenTrees(errors) : errors;
  return oneForEachCause(toProblems(first, places));
}

/** An error of `anyOf` stands after those of its branches, so a list can be cut before but not inside them. */
function cutBetweenTrees(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let start = errors.length;
  while (start > mostErrors) {
    start -= 1 + countChildren(errors[start - 1]);
  }
  return start > 0 ? errors.slice(0, start) : errors;
}

function toProblems(errors: readonly ErrorObject[], places: WeakMap<object, JsonPointer>): SchemaProblem[] {
  const found: SchemaProblem[][] = [];
  for (let end = errors.length; end > 0;) {
    const error = errors[end - 1];
    const children = countChildren(error);
    if (error !== undefined) {
      found.push(toCauses({ error, children: errors.slice(end - 1 - children, end - 1), places }));
    }
    end -= 1 + children;
  }
  return found.toReversed().flat();
}

function toCauses(input: {
  readonly error: ErrorObject;
  readonly children: readonly ErrorObject[];
  readonly places: WeakMap<object, JsonPointer>;
}): SchemaProblem[] {
  const { error, children, places } = input;
  if (error.propertyName !== undefined) {
    // What is wrong with a name; the error of `propertyNames` itself follows.
    return [];
  }
  const problem = toSchemaProblem(error, places);
  if (problem === undefined) {
    return [];
  }
  if ((problem.keyword !== 'anyOf' && problem.keyword !== 'oneOf') || problem.params.matching > 0) {
    return [problem];
  }
  const ends = branchEnds(error);
  const branches = ends.map((end, index) =>
    oneForEachCause(toProblems(children.slice(ends[index - 1] ?? 0, end), places)),
  );
  return [...chooseBranch(problem, branches)];
}

function branchEnds(error: ErrorObject | undefined): readonly number[] {
  const ends: unknown = error?.params['ends'];
  return Array.isArray(ends) ? ends.map(Number) : [];
}

function countChildren(error: ErrorObject | undefined): number {
  return branchEnds(error).at(-1) ?? 0;
}

function isUnevaluated({ keyword, schemaPointer }: SchemaProblem): boolean {
  return keyword === 'unevaluatedProperties' || schemaPointer.endsWith('/unevaluatedItems');
}

function oneForEachCause(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const mistyped = new Set(
    problems.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer),
  );
  const seen = new Set<string>();
  const others = problems.filter((problem) => !isUnevaluated(problem));
  return problems.filter((problem) => {
    const { keyword, pointer } = problem;
    const key = JSON.stringify([pointer, keyword, ...detailOf(problem)]);
    const isHidden =
      seen.has(key) ||
      (keyword !== 'type' && mistyped.has(pointer)) ||
      (isUnevaluated(problem) && others.some((other) => other.pointer.startsWith(pointer)));
    seen.add(key);
    return !isHidden;
  });
}

/** What tells two problems of one keyword at one place apart. */
function detailOf({ schemaPointer, params }: SchemaProblem): readonly string[] {
  if ('types' in params) {
    return params.types;
  }
  return 'property' in params ? [params.property] : [schemaPointer];
}
