import { pointerTokens } from '../json/json-pointer.ts';
import type { SchemaProblem } from './schema-problem.ts';

type Branch = readonly SchemaProblem[];
type AlternativesProblem = Extract<SchemaProblem, { readonly keyword: 'anyOf' | 'oneOf' }>;

function isMistyped(branch: Branch, pointer: string): boolean {
  return branch.some((problem) => problem.keyword === 'type' && problem.pointer === pointer);
}

/** Why a branch is for another value of a property that tells branches apart. */
function otherConstant(branch: Branch, pointer: string): SchemaProblem | undefined {
  return branch.find(
    (problem) =>
      (problem.keyword === 'const' || problem.keyword === 'enum') && isAtOrDirectlyUnder(problem, pointer),
  );
}

function isAtOrDirectlyUnder(problem: SchemaProblem, pointer: string): boolean {
  return problem.pointer.startsWith(pointer) && !problem.pointer.slice(pointer.length + 1).includes('/');
}

function depthOf(branch: Branch): number {
  return Math.max(0, ...branch.map(({ pointer }) => pointerTokens(pointer).length));
}

/** Branches that name one place and differ in what may stand there: said in one sentence. */
function merge(whole: AlternativesProblem, branches: readonly Branch[]): SchemaProblem | undefined {
  const alone = branches.flatMap((branch) => (branch.length === 1 ? branch : []));
  const [first] = alone;
  if (
    first === undefined ||
    alone.length < branches.length ||
    alone.some(({ pointer }) => pointer !== first.pointer)
  ) {
    return undefined;
  }
  if (first.keyword === 'type') {
    const types = alone.flatMap((problem) => (problem.keyword === 'type' ? problem.params.types : []));
    return alone.every(({ keyword }) => keyword === 'type')
      ? { ...first, params: { types: [...new Set(types)] } }
      : undefined;
  }
  if (first.keyword === 'required') {
    const properties = alone.flatMap((problem) =>
      problem.keyword === 'required' ? [problem.params.property] : [],
    );
    return properties.length === alone.length && properties.length > 1
      ? { ...whole, params: { matching: 0, properties } }
      : undefined;
  }
  const values = alone.flatMap((problem) =>
    problem.keyword === 'enum' || problem.keyword === 'const' ? problem.params.values : [],
  );
  return alone.every(({ keyword }) => keyword === 'enum' || keyword === 'const')
    ? { pointer: first.pointer, schemaPointer: first.schemaPointer, keyword: 'enum', params: { values } }
    : undefined;
}

/**
 * What to say of a value that no branch of an `anyOf` or `oneOf` accepts: the problems of the branch that
 * was most likely meant. A branch for another type, or for another value of a property that tells branches
 * apart, was not meant; of the others it is the one that came furthest into the value, then the one with
 * the fewest problems.
 *
 * @param problem - that of `anyOf` or `oneOf` itself, for where there is nothing better to say
 * @param branches - the problems of each branch
 */
export function chooseBranch(
  problem: AlternativesProblem,
  branches: readonly Branch[],
): readonly SchemaProblem[] {
  const { pointer } = problem;
  const typed = branches.filter((branch) => !isMistyped(branch, pointer));
  const ofType = typed.length > 0 ? typed : branches;
  const told = ofType.filter((branch) => otherConstant(branch, pointer) === undefined);
  const meant = told.length > 0 ? told : ofType;
  const constants = ofType.map((branch) =>
    branch.filter((found) => found === otherConstant(branch, pointer)),
  );
  const merged = merge(problem, told.length > 0 ? told : constants);
  if (merged !== undefined) {
    return [merged];
  }
  const [best] = meant.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
  const isAloneAtPlace =
    meant.length === 1 || (best !== undefined && depthOf(best) > pointerTokens(pointer).length);
  return best !== undefined && best.length > 0 && isAloneAtPlace ? best : [problem];
}
