import type { Contract } from '../../contract/contract.ts';
import { toSourceUrl } from '../../document/to-source-url.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PolicyArguments } from './policy-arguments.ts';

/** The answers that a command was given. */
export interface OpenPolicy {
  /** The document to read: the one that is named, else that of the policy file; undefined for the default. */
  readonly document: string | undefined;
  /** What to say at the start, a sentence each. */
  readonly notices: readonly string[];
  /**
   * The answers, those of options before those of the file, and none where none were given.
   *
   * @throws ClocheError OPTION_INVALID or POLICY_INVALID where they name an operation that the contract has not
   */
  readonly answersFor: (contract: Contract) => Partial<Policy>;
}

function isSame(left: string, right: string): boolean {
  return toSourceUrl(left).href === toSourceUrl(right).href;
}

/**
 * Reads the answers that a command was given with `--policy` and `--answer`.
 *
 * @throws ClocheError OPTION_INVALID for an answer, as readPolicyFile does for a file
 */
export async function openPolicy({ document, policy, answer }: PolicyArguments): Promise<OpenPolicy> {
  if (policy === undefined && answer.length === 0) {
    return { document, notices: [], answersFor: () => ({}) };
  }
  const { parseAnswers } = await import('./parse-answers.ts');
  const { checkOperationsOfAnswers } = await import('./check-operations-of-answers.ts');
  const { mergeAnswers } = await import('../../policy/merge-answers.ts');
  const { readPolicyFile } = await import('../../policy/read-policy-file.ts');
  const over = parseAnswers(answer);
  const file = policy === undefined ? undefined : await readPolicyFile(policy);
  const isOther = document !== undefined && file?.contract !== undefined && !isSame(document, file.contract);
  return {
    document: document ?? file?.contract,
    notices: isOther
      ? [`The policy ${policy} is that of ${file.contract}, and is used for ${document}.`]
      : [],
    answersFor(contract) {
      file?.checkOperations(contract);
      checkOperationsOfAnswers(over, contract);
      return mergeAnswers(file?.policy ?? {}, over);
    },
  };
}
