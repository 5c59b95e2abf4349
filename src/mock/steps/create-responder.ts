import type { Contract } from '../../contract/contract.ts';
import { policyOf } from '../../policy/policy-of.ts';
import { answerContent } from './answer-content.ts';
import { createInterferer } from '../faults/create-interferer.ts';
import type { FaultBook } from '../faults/create-fault-rules.ts';
import { interfereWith } from '../faults/interference.ts';
import type { CorsOptions } from '../cors-options.ts';
import { createCors } from './cors.ts';
import { createAdmit } from './create-admit.ts';
import { createFaultRefuser } from './create-fault-refuser.ts';
import type { MockAnswer } from './mock-answer.ts';
import { type Preparation, prepareOperation } from './prepare-operation.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { StoreUnavailable } from '../store/store-unavailable.ts';
import type { RequestContent, RequestHead } from './request-head.ts';
import type { Admitted, Responder } from './responder.ts';

/**
 * Prepares the steps of an answer for a contract: route, authenticate, read, validate, act, respond.
 *
 * @param preparation.clock - milliseconds
 * @param preparation.timer - milliseconds that no one sets back; only a log needs it
 * @throws ClocheError SCHEMA_UNUSABLE where a schema of the document cannot be compiled
 */
export function createResponder(
  contract: Contract,
  preparation: Preparation & {
    /** Left out where neither rules nor requests have a say in what goes wrong. */
    readonly faults?: FaultBook;
    /** Left out or false where pages of other origins are not let in. */
    readonly cors?: CorsOptions | false;
    readonly clock: () => number;
    readonly timer?: () => number;
  },
): Responder {
  const { policy, faults, cors: options = false, clock, timer } = preparation;
  const prepared = new Map(
    contract.operations.map((operation) => [operation, prepareOperation(operation, preparation)]),
  );
  const interferer = faults && createInterferer({ contract, policy, faults });
  const cors = options === false ? undefined : createCors(contract, options);
  const admit = createAdmit({ contract, policy, prepared, interferer, cors, clock });
  const refuseFault = createFaultRefuser(contract);
  const contentLimits = contract.operations.map(({ id }) => policyOf(policy, id)['body-limit'].bytes);

  /** Makes an answer one that its client may have: readable by a page, and without content for HEAD. */
  function finish(head: RequestHead, answer: MockAnswer): MockAnswer {
    const isHead = head.method === 'HEAD';
    const origin = cors && head.header('origin');
    if (cors === undefined || origin === undefined || answer.status === 0) {
      return isHead ? { ...answer, body: undefined } : answer;
    }
    return { ...answer, headers: cors.fieldsFor(origin, answer), body: isHead ? undefined : answer.body };
  }

  /** Answers for a store that is away. Whatever else was thrown is the mock's own fault. */
  function refuseUnavailable(error: unknown): MockAnswer {
    if (error instanceof StoreUnavailable) {
      return refuseFault('store-unavailable', `${error.subject}: ${error.reason}`);
    }
    throw error;
  }

  function answerWhereStoreIs(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer> {
    try {
      const made = answerContent(admitted, content);
      return made instanceof Promise ? made.catch(refuseUnavailable) : made;
    } catch (error) {
      return refuseUnavailable(error);
    }
  }

  return {
    contentLimit: Math.max(policy['body-limit'].bytes, ...contentLimits),
    admit(head) {
      const begun = timer?.() ?? 0;
      const admitted = admit(head, begun);
      return 'kind' in admitted
        ? admitted
        : { kind: 'answered', head, answer: finish(head, admitted), begun };
    },
    conclude: ({ answer }) => answer,
    respond(admitted, content) {
      const { head, interference } = admitted;
      const made = answerWhereStoreIs(admitted, content);
      return made instanceof Promise
        ? made.then((later) => finish(head, interfereWith(later, interference)))
        : finish(head, interfereWith(made, interference));
    },
    refuse({ fault, detail, head }) {
      const answer = refuseFault(fault, detail);
      return head === undefined || head.header('origin') === undefined
        ? { ...answer, headers: [...answer.headers, ...(cors?.fieldsForAny ?? [])] }
        : finish(head, answer);
    },
  };
}
