import type { MaybePromise, MockResponse } from '../message.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

/**
 * A step between a valid request and its response. It returns a response of its own, or calls `next` for that of the steps
 * behind it, and may change the request before that and the response after it.
 */
export type HandlerStep = (request: ValidRequest, next: OperationHandler) => MaybePromise<MockResponse>;

/**
 * Joins steps to one handler: the first step is called first, and `last` answers if no step does. A step that does not apply
 * to the operation is undefined. It is left out here, so that it costs a request nothing.
 */
export function joinSteps(
  steps: readonly (HandlerStep | undefined)[],
  last: OperationHandler,
): OperationHandler {
  return steps.reduceRight<OperationHandler>(
    (next, step) => (step === undefined ? next : (request) => step(request, next)),
    last,
  );
}

/** Answers a request that prefers a declared response (`Prefer`) with that one. */
export const answerPreferred: HandlerStep = (request, next) => request.preferred?.() ?? next(request);
