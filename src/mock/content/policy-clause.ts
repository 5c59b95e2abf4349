import type { JsonValue } from '../../json/json-value.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { BrokenClause } from '../log/logged-request.ts';
import { quoteClause } from './quote-clause.ts';

/**
 * What a policy says to a question, as a clause that a request broke.
 *
 * @param answer - the question is quoted alone where the answer is not known
 */
export function policyClause(question: QuestionId, answer?: JsonValue): BrokenClause {
  return {
    in: 'policy',
    pointer: `/answers/${question}`,
    text: answer === undefined ? question : quoteClause({ [question]: answer }, `/${question}`),
  };
}
