import type { Policy } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

/** The questions that given answers settle for the whole service, and that it can be held to. */
export function toldQuestions(given: Partial<Policy>): ReadonlySet<QuestionId> {
  const ids = Object.values(questions).map(({ id }) => id);
  return new Set(ids.filter((id) => given[id] !== undefined));
}
