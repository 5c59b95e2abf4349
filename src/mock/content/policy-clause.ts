import type { JsonValue } from '../../json/json-value.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import type { BrokenClause } from '../log/logged-request.ts';
import { quoteClause } from './quote-clause.ts';

/** What a policy says to a question, as a clause that a request broke. */
export function policyClause(question: QuestionId, answer: JsonValue): BrokenClause {
  return {
    in: 'policy',
    pointer: `/answers/${question}`,
    text: quoteClause({ [question]: answer }, `/${question}`),
  };
}
