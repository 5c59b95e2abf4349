import type { Parity } from '../../check/parity.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import { renderYamlFlow } from './render-yaml-flow.ts';

/** Questions that it takes several requests to answer. */
const severalRequests = new Set<QuestionId>(['constraints', 'unique-properties']);

/** Which of two services that answered one request differently is wrong, or what the contract does not say. */
export function describeVerdict({ tested, other, answered, verdict }: Parity): string {
  switch (verdict.kind) {
    case 'tested-wrong':
      return `${tested} is wrong; ${other} answered ${answered}`;
    case 'other-wrong':
      return `${other} is wrong`;
    case 'silent': {
      const { question, answer } = verdict;
      if (question === undefined) {
        return 'the contract is silent, and so is every question of a policy';
      }
      if (answer !== undefined) {
        return `the contract is silent: add this answer: ${question}: ${renderYamlFlow(answer)}`;
      }
      return severalRequests.has(question)
        ? `the contract is silent: it is a matter of ${question}, which one request does not settle; cloche learn asks`
        : `the contract is silent: it is a matter of ${question}, and no answer to it does just this`;
    }
  }
}
