import { describeAnswer } from '../../../policy/describe-answer.ts';
import type { Answers } from '../../../policy/policy.ts';
import type { QuestionId } from '../../../policy/question-id.ts';
import type { Action, ActionResult } from '../action.ts';
import type { MockClient } from '../mock-client.ts';

/** How the control interface shows a policy. */
interface ShownPolicy {
  readonly answers: readonly {
    readonly id: QuestionId;
    readonly answer: Answers[QuestionId];
    readonly decidedBy: 'default' | 'policy' | 'document';
  }[];
  readonly operations: Readonly<Record<string, Partial<Answers>>>;
}

function describe(id: QuestionId, answer: unknown): string {
  // `as`: an answer comes with the question that it answers.
  return describeAnswer(id, answer as never);
}

/** Shows the policy of a mock as it is now. */
export async function showPolicyOf(client: MockClient): Promise<ActionResult> {
  const value = await client.call({ method: 'GET', path: '/policy' });
  // `as`: the document of the control interface says so.
  const { answers, operations } = value as unknown as ShownPolicy;
  const width = Math.max(0, ...answers.map(({ id }) => id.length));
  const ofOperations = Object.entries(operations).flatMap(([operation, own]) =>
    Object.entries(own).map(
      // `as`: the names of answers are those of questions.
      ([id, answer]) => `  ${id.padEnd(width)}  ${describe(id as QuestionId, answer)} (${operation})`,
    ),
  );
  return {
    value,
    lines: [
      ...answers.map(({ id, answer, decidedBy }) => {
        const mark = { default: ' ', policy: '*', document: '=' }[decidedBy];
        return `${mark} ${id.padEnd(width)}  ${describe(id, answer)}`;
      }),
      ...ofOperations.map((line) => line.replace(/^ /u, '*')),
    ],
    notes: ['* as it was told, = as the document says, the others by default'],
  };
}

/** `cloche policy show` */
export const showPolicy: Action = { act: showPolicyOf };
