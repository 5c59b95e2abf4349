import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load-contract.ts';
import type { Policy } from '../../policy/policy.ts';
import { openPolicy } from './open-policy.ts';
import type { PolicyArguments } from './policy-arguments.ts';

/** The contract that a command works on, with the answers that it was given for it. */
export interface OpenContract {
  readonly contract: Contract;
  /** None where none were given. */
  readonly given: Partial<Policy>;
  /** What to say at the start, a sentence each. */
  readonly notices: readonly string[];
}

/**
 * Reads the document that a command was given, or that its policy names, and the answers for it.
 *
 * @throws ClocheError for a document or a policy that cannot be used, as loadContract and openPolicy do
 */
export async function openContract(
  input: PolicyArguments & {
    readonly 'allow-references': boolean;
    /** Is told of each text of the document before it is read. */
    readonly onRead?: (url: URL) => void;
  },
): Promise<OpenContract> {
  const { document, notices, answersFor } = await openPolicy(input);
  const contract = await loadContract(document, {
    followReferences: input['allow-references'],
    ...(input.onRead === undefined ? {} : { onRead: input.onRead }),
  });
  return { contract, given: answersFor(contract), notices };
}
