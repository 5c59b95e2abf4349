import type { Contract } from '../../contract/contract.ts';
import type { RequestProblem } from './logged-request.ts';

/**
 * Says of each clause where it stands in the text of the document, as far as that is known. It looks through the document,
 * so it is for one request, not for a list of them.
 */
export function locateClauses(
  problems: readonly RequestProblem[],
  { placeOf, locate }: Pick<Contract, 'placeOf' | 'locate'>,
): readonly RequestProblem[] {
  return problems.map((problem) => {
    const { clause } = problem;
    if (clause?.in !== 'document') {
      return problem;
    }
    const location = locate(placeOf(clause.pointer));
    return location === undefined ? problem : { ...problem, clause: { ...clause, location } };
  });
}
