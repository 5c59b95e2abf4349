import type { Answers } from './policy.ts';
import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

/**
 * An answer as a short phrase.
 *
 * @example
 * describeAnswer('duplicate-key', 'conflict'); // '409 with an error body'
 */
export function describeAnswer<Id extends QuestionId>(id: Id, answer: Answers[Id]): string {
  // `as`: the question of an id describes just the answers of that id, which TypeScript cannot relate.
  const { describe } = questions[id] as { readonly describe: (answer: Answers[Id]) => string };
  return describe(answer);
}
