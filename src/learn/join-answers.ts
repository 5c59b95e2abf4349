import { jsonEqual } from '../json/json-equal.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Answers } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { Learnt, LearntQuestion } from './learnt.ts';

/** The settled answers: of the service where all operations agree, of single operations where they differ. */
export function joinAnswers(asked: readonly LearntQuestion[]): Pick<Learnt, 'answers' | 'operations'> {
  const answers: Partial<Record<QuestionId, JsonValue>> = {};
  const operations: Record<string, Partial<Record<QuestionId, JsonValue>>> = {};
  for (const id of new Set(asked.map(({ question }) => question))) {
    const settled = asked.flatMap(({ question, operationId, outcome }) =>
      question === id && outcome.kind === 'settled' ? [{ operationId, answer: outcome.answer }] : [],
    );
    const [first] = settled;
    if (first !== undefined && settled.every(({ answer }) => jsonEqual(answer, first.answer))) {
      answers[id] = first.answer;
      continue;
    }
    for (const { operationId, answer } of settled) {
      operations[operationId] = { ...operations[operationId], [id]: answer };
    }
  }
  // `as`: each probe gives answers to its own question.
  return { answers, operations } as unknown as {
    readonly answers: Partial<Answers>;
    readonly operations: Record<string, Partial<Answers>>;
  };
}
