import { pointerTokens } from '../../json/json-pointer.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { StructureProblem } from './structure-problem.ts';
import { missingProperty, wrongType, wrongValue } from './structure-words.ts';

type Branch = readonly StructureProblem[];

function isMistyped(branch: Branch, pointer: JsonPointer): boolean {
  return branch.some(({ keyword, judged }) => keyword === 'type' && judged === pointer);
}

/** Why a branch is for another value of a property that tells branches apart: `in`, `type`. */
function otherValue(branch: Branch, pointer: JsonPointer): StructureProblem | undefined {
  const depth = pointerTokens(pointer).length;
  return branch.find(
    ({ keyword, judged }) => keyword === 'value' && pointerTokens(judged).length <= depth + 1,
  );
}

/**
 * What to say of a value that no branch of an `anyOf` or `oneOf` accepts: the problems of the branch that
 * was most likely meant, or one problem that says what all branches have in common.
 *
 * @param input.at - the pointer that the branches judged
 * @param input.valueAt - gives the value at a pointer
 */
export function chooseBranch(input: {
  readonly branches: readonly Branch[];
  readonly at: JsonPointer;
  readonly valueAt: (pointer: JsonPointer) => JsonValue;
}): readonly StructureProblem[] {
  const { branches, at, valueAt } = input;
  const typed = branches.filter((branch) => !isMistyped(branch, at));
  if (typed.length === 0) {
    return [wrongType({ pointer: at, types: unite(branches.flat()), value: valueAt(at) })];
  }
  const told = typed.filter((branch) => otherValue(branch, at) === undefined);
  if (told.length === 0) {
    const values = typed.flatMap((branch) => otherValue(branch, at) ?? []);
    const [first] = values;
    return first === undefined
      ? []
      : [wrongValue({ pointer: first.judged, allowed: unite(values), value: valueAt(first.judged) })];
  }
  const missing = told.flat();
  const isMissingOnly =
    told.length > 1 && missing.every(({ keyword, judged }) => keyword === 'missing' && judged === at);
  if (isMissingOnly && missing.length === told.length) {
    return [missingProperty(at, unite(missing))];
  }
  const [best = []] = told.toSorted((a, b) => a.length - b.length);
  return best;
}

/** All that would do, in the order of the branches. Types and names are strings. */
function unite(problems: readonly StructureProblem[]): string[] {
  const expected = problems.flatMap((problem) => problem.expected);
  return [...new Set(expected.filter((item) => typeof item === 'string'))];
}
