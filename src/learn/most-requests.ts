import type { Contract } from '../contract/contract.ts';
import { probes } from '../policy/probes.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';
import { silenceOf } from '../policy/silence-of.ts';
import { mostTries } from './key-trust.ts';
import { questionOrder } from './question-order.ts';
import { sampleForms } from './sample-form.ts';
import { plainRequest } from '../arbitrary/plain-request.ts';

/** The most requests that learning sends where nothing caps them: all questions that are open, and the samples. */
export function mostRequestsOf(input: {
  readonly contract: Contract;
  readonly trials: number;
  readonly questions: readonly QuestionId[];
}): number {
  const { contract, trials } = input;
  const ids = questionOrder.filter((id) => input.questions.includes(id));
  const isOnce = (id: QuestionId): boolean =>
    questions[id].scope === 'service' || probes[id].isOfService === true;
  // What has no body has no key.
  const tries = (id: QuestionId): number => (probes[id].needsTaken ? mostTries : 1);
  const ofTrials = ids.map((id) => {
    const open = contract.operations.filter(
      (operation) => silenceOf({ id, operation, contract }).kind === 'open',
    );
    return Math.min(open.length, isOnce(id) ? 1 : Infinity) * probes[id].mostRequests * tries(id) * trials;
  });
  const ofSamples = contract.operations.map((operation) => {
    const { body } = plainRequest(operation);
    return body.kind === 'body' ? Math.max(1, sampleForms(body.body).length) * mostTries : 1;
  });
  return [...ofTrials, ...ofSamples].reduce((sum, count) => sum + count, 0);
}
