import type { ControlOperation } from '../control-operation.ts';
import { describePolicyAnswers } from '../describe-policy-answers.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `GET /policy`: how the mock answers where the document is silent. */
export const getPolicy: ControlOperation = {
  path: '/policy',
  method: 'get',
  declares: {
    operationId: 'getPolicy',
    summary: 'How the mock answers where the document is silent',
    responses: { '200': jsonContent('The answer to each question.', ref('Policy')) },
  },
  act: (_request, context) => ({ status: 200, body: describePolicyAnswers(context) }),
};
