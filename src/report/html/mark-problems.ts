import type { BodyReading } from '../../check/request-reading.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { locateValues, type TextRange } from '../../json/locate-values.ts';

type SchemaProblem = Extract<BodyReading, { readonly kind: 'invalid' }>['problems'][number];

/** Where a problem of a value stands, and whether its key belongs to it. */
function placeOf(problem: SchemaProblem): {
  readonly pointer: string;
  readonly part: 'value' | 'member' | 'ends';
} {
  switch (problem.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'minProperties':
      // Nothing stands where something is missing: the ends of the object that lacks it are marked.
      return { pointer: problem.pointer, part: 'ends' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return { pointer: appendPointer(problem.pointer, problem.params.property), part: 'member' };
    default:
      return { pointer: problem.pointer, part: 'value' };
  }
}

/** Finds the parts of a JSON text that its schema does not allow. */
export function markProblems(text: string, problems: readonly SchemaProblem[]): readonly TextRange[] {
  const places = problems.map(placeOf);
  return locateValues(
    text,
    places.map(({ pointer }) => pointer),
  ).flatMap((found, index) => {
    if (found === undefined) {
      return [];
    }
    const { start, end } = found.value;
    switch (places[index]?.part) {
      case 'ends':
        return [
          { start, end: start + 1 },
          { start: end - 1, end },
        ];
      case 'member':
        return [found.member];
      case 'value':
      case undefined:
        return [found.value];
    }
  });
}
