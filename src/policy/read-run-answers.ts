import { findPolicyBeside } from '../document/find-policy-beside.ts';
import type { Answers } from './policy.ts';
import { readPolicyFile } from './read-policy-file.ts';
import type { RunAnswers } from './run-answers.ts';

function pick({ echo, 'accepted-tokens': tokens }: Partial<Answers>): Partial<Answers> {
  return {
    ...(echo === undefined ? {} : { echo }),
    ...(tokens === undefined ? {} : { 'accepted-tokens': tokens }),
  };
}

/**
 * Reads the answers that a run takes from the policy file beside its document, `orders.policy.yaml` for `orders.yaml`.
 *
 * @param source - the path or URL of the document
 * @returns none where there is no such file
 * @throws ClocheError as readPolicyFile does
 */
export async function readRunAnswers(source: string): Promise<RunAnswers> {
  const file = await findPolicyBeside(source);
  if (file === undefined) {
    return {};
  }
  const { policy } = await readPolicyFile(file);
  const operations = Object.entries(policy.operations ?? {}).map(
    ([id, answers]) => [id, pick(answers)] as const,
  );
  return {
    ...pick(policy),
    ...(operations.length === 0 ? {} : { operations: Object.fromEntries(operations) }),
  };
}
