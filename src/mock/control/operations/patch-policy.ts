import { mergePolicyChange, type PolicyChange } from '../merge-policy-change.ts';
import { refuseToLockOut } from '../refuse-to-lock-out.ts';
import { toPlainNumbers } from '../to-plain-numbers.ts';
import type { ControlOperation } from '../control-operation.ts';
import { describePolicyAnswers } from '../describe-policy-answers.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

/** `PATCH /policy`: changes some answers. */
export const patchPolicy: ControlOperation = {
  path: '/policy',
  method: 'patch',
  declares: {
    operationId: 'patchPolicy',
    summary: 'Change some answers; null takes one back',
    requestBody: { required: true, ...jsonContent('The answers to change.', ref('PolicyChange')) },
    responses: { '200': jsonContent('The answer to each question, as it is now.', ref('Policy')) },
  },
  refuses: [422],
  act: async (request, context) => {
    // `as`: the document lets nothing else pass.
    const change = toPlainNumbers(request.body ?? {}) as PolicyChange;
    const { mock, facts } = context;
    if (!facts.hasTokens) {
      refuseToLockOut(change);
    }
    // Made when its turn comes, so that nothing is lost that another request changes just now.
    await mock.change({ policy: (given) => mergePolicyChange(given, change) });
    return { status: 200, body: describePolicyAnswers(context) };
  },
};
