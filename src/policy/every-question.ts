import type { QuestionId } from './question-id.ts';
import { questions } from './questions.ts';

/** The ids of all questions: what a run is told whose policy is whole, as that of the in-process mock is. */
export const everyQuestion: ReadonlySet<QuestionId> = new Set(Object.values(questions).map(({ id }) => id));
