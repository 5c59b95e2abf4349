import { isDeepStrictEqual } from 'node:util';
import { describeAnswer } from '../../policy/describe-answer.ts';
import type { Answers, Policy } from '../../policy/policy.ts';
import { questions } from '../../policy/questions.ts';

function listChanges(input: {
  readonly before: Partial<Answers>;
  readonly after: Partial<Answers>;
  readonly lead: string;
}): readonly string[] {
  return Object.values(questions).flatMap(({ id }) => {
    const answer = input.after[id];
    if (isDeepStrictEqual(input.before[id], answer)) {
      return [];
    }
    const said = answer === undefined ? 'as everywhere' : describeAnswer(id, answer);
    return [`answers  ${input.lead}${id}: ${said}`];
  });
}

/** Says which questions have another answer, a line each. */
export function describePolicyChange(before: Policy, after: Policy): readonly string[] {
  const operations = new Set([
    ...Object.keys(before.operations ?? {}),
    ...Object.keys(after.operations ?? {}),
  ]);
  const ofOperations = [...operations].flatMap((id) =>
    listChanges({
      before: before.operations?.[id] ?? {},
      after: after.operations?.[id] ?? {},
      lead: `${id}: `,
    }),
  );
  return [...listChanges({ before, after, lead: '' }), ...ofOperations];
}
