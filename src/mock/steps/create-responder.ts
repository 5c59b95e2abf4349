import type { Contract } from '../../contract/contract.ts';
import { policyOf } from '../../policy/policy-of.ts';
import { answerContent } from './answer-content.ts';
import { corsFields } from './cors.ts';
import { createAdmit } from './create-admit.ts';
import { createFaultRefuser } from './create-fault-refuser.ts';
import type { MockAnswer } from './mock-answer.ts';
import { type Preparation, prepareOperation } from './prepare-operation.ts';
import type { RequestHead } from './request-head.ts';
import type { Responder } from './responder.ts';

/**
 * Prepares the steps of an answer for a contract: route, authenticate, read, validate, act, respond.
 *
 * @param preparation.clock - milliseconds
 * @param preparation.timer - milliseconds that no one sets back; only a log needs it
 * @throws ClocheError SCHEMA_UNUSABLE where a schema of the document cannot be compiled
 */
export function createResponder(
  contract: Contract,
  preparation: Preparation & { readonly clock: () => number; readonly timer?: () => number },
): Responder {
  const { policy, clock, timer } = preparation;
  const prepared = new Map(
    contract.operations.map((operation) => [operation, prepareOperation(operation, preparation)]),
  );
  const admit = createAdmit({ contract, policy, prepared, clock });
  const cors = corsFields(contract);
  const refuseFault = createFaultRefuser(contract);
  const contentLimits = contract.operations.map(({ id }) => policyOf(policy, id)['body-limit'].bytes);

  /** Makes an answer one that its client may have: readable by a page, and without content for HEAD. */
  function finish(head: RequestHead, answer: MockAnswer): MockAnswer {
    const isHead = head.method === 'HEAD';
    if (head.header('origin') === undefined) {
      return isHead ? { ...answer, body: undefined } : answer;
    }
    return { ...answer, headers: [...answer.headers, ...cors], body: isHead ? undefined : answer.body };
  }

  return {
    contentLimit: Math.max(policy['body-limit'].bytes, ...contentLimits),
    admit(head) {
      const begun = timer?.() ?? 0;
      const admitted = admit(head, begun);
      return 'kind' in admitted ? admitted : { kind: 'answered', answer: finish(head, admitted), begun };
    },
    respond(admitted, content) {
      const { head } = admitted;
      const made = answerContent(admitted, content);
      return made instanceof Promise ? made.then((later) => finish(head, later)) : finish(head, made);
    },
    refuse: ({ fault, detail }) => refuseFault(fault, detail),
  };
}
