import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document-problem.ts';
import { closestWord } from '../errors/closest-word.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { Policy } from './policy.ts';

/** More of them are not listed. */
const mostListed = 10;

/**
 * Says which operations of a policy a contract does not have.
 *
 * @returns problems placed within the operations of the policy, by id
 */
export function checkOperationIds(
  operations: Policy['operations'] = {},
  contract: Contract,
): readonly DocumentProblem[] {
  const ids = contract.operations.map(({ id }) => id);
  return Object.keys(operations)
    .filter((id) => !ids.includes(id))
    .map((id) => {
      const near = closestWord(id, ids);
      const listed = ids.slice(0, mostListed).join(', ');
      const more = ids.length > mostListed ? `, and ${ids.length - mostListed} more` : '';
      return {
        pointer: appendPointer('', id),
        reason: `the document has no operation "${id}"`,
        remedy: near === undefined ? `It has ${listed}${more}` : `Perhaps "${near}" was meant`,
      };
    });
}
