import { dirname, join } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import type { FileOptions } from '../document/read-file.ts';
import {
  findPolicyBeside,
  type LocatedFile,
  parseLocatedText,
  readLocatedFile,
} from '../document/settings-file.ts';
import { checkAgainstContract, parsePolicy } from './policy-file.ts';
import type { Policy, RunAnswers } from './policy.ts';
import type { BehaviourValues } from './behaviour.ts';

/** The content of a policy file. */
export interface ReadPolicy {
  /** The values in the file. A mock uses them as its policy, and a run can enforce them. */
  readonly policy: Partial<Policy>;
  /** The document of the policy, as a path or URL that can be read from here. */
  readonly contract: string | undefined;
  /**
   * Checks the policy against a contract.
   *
   * @throws DocumentError POLICY_INVALID, at line and column, if it names an unknown operation or property
   */
  readonly checkOperations: (contract: Contract) => void;
}

/**
 * Reads a policy file: JSON by its name, else YAML or JSON.
 *
 * @throws ClocheError POLICY_INVALID if it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or POLICY_INVALID, with every problem at its line and column
 *
 * @example
 * const { policy } = await readPolicyFile('orders.policy.yaml');
 * const mock = await createMock('orders.yaml', { policy });
 */
export async function readPolicyFile(file: string, options?: FileOptions): Promise<ReadPolicy> {
  const read = await readLocatedFile({
    file,
    what: 'the policy',
    code: 'POLICY_INVALID',
    remedyOfNone: 'Name a file that there is, or have one written by cloche learn',
    mayBeMissing: false,
    ...options,
  });
  return checkPolicyFile(file, read);
}

/**
 * Checks the text of a policy file as {@link readPolicyFile} checks the file.
 *
 * @throws DocumentError DOCUMENT_SYNTAX or POLICY_INVALID, with every problem at its line and column
 */
export async function parsePolicyText(file: string, text: string): Promise<ReadPolicy> {
  return checkPolicyFile(file, await parseLocatedText(file, text));
}

function checkPolicyFile(file: string, read: LocatedFile): ReadPolicy {
  const { file: held, problems } = parsePolicy(read.root);
  if (problems.length > 0) throw read.toError('POLICY_INVALID', problems);
  const { answers, operations, contract } = held;
  const policy = { ...answers, ...(operations === undefined ? {} : { operations }) };
  return {
    policy,
    contract:
      contract === undefined || /^(?:https?|file):/iu.test(contract)
        ? contract
        : join(dirname(file), contract),
    checkOperations(against) {
      const unknown = checkAgainstContract(policy, against);
      if (unknown.length > 0) throw read.toError('POLICY_INVALID', unknown);
    },
  };
}

/**
 * Reads the values that a run uses from the policy file beside its document, `orders.policy.yaml` for `orders.yaml`.
 *
 * @param source - the path or URL of the document
 * @returns no values if the file does not exist
 * @throws ClocheError as readPolicyFile does
 */
export async function readRunAnswers(source: string): Promise<RunAnswers> {
  const file = findPolicyBeside(source);
  if (file === undefined) return {};
  const { policy } = await readPolicyFile(file, { mayBePipe: false });
  const operations = Object.entries(policy.operations ?? {}).map(([id, own]) => [id, pick(own)] as const);
  return {
    ...pick(policy),
    ...(operations.length === 0 ? {} : { operations: Object.fromEntries(operations) }),
  };
}

function pick({ echo, 'accepted-tokens': tokens }: Partial<BehaviourValues>): Partial<BehaviourValues> {
  return {
    ...(echo === undefined ? {} : { echo }),
    ...(tokens === undefined ? {} : { 'accepted-tokens': tokens }),
  };
}
