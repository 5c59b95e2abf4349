import { isDeepStrictEqual } from 'node:util';
import { describeAnswer } from '../../policy/describe-answer.ts';
import type { Answers, Policy } from '../../policy/policy.ts';
import { questions } from '../../policy/questions.ts';

function listAnswers(answers: Partial<Answers>): readonly string[] {
  return Object.values(questions).flatMap(({ id, default: usual }) => {
    const answer = answers[id];
    return answer === undefined || isDeepStrictEqual(answer, usual)
      ? []
      : [`${id}: ${describeAnswer(id, answer)}`];
  });
}

/**
 * The answers of a policy that are not the defaults, a line each.
 */
export function describePolicy(policy: Partial<Policy>): readonly string[] {
  const ofOperations = Object.entries(policy.operations ?? {}).flatMap(([id, answers]) =>
    listAnswers(answers).map((line) => `${id}: ${line}`),
  );
  return [...listAnswers(policy), ...ofOperations];
}
