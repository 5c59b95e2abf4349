import type { MaybePromise, MockResponse } from '../message.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

/**
 * A step between a valid request and its response. It returns a response, or calls `next` to get the response of the
 * following steps. It may change the request before that call and the response after it.
 */
export type HandlerStep = (request: ValidRequest, next: OperationHandler) => MaybePromise<MockResponse>;

/**
 * Joins steps to one handler. The first step is called first; `last` responds if no step does. A step that does not
 * apply to the operation is undefined. It is removed here and costs a request nothing.
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

/** Returns the declared response that a request prefers (`Prefer`). */
export const answerPreferred: HandlerStep = (request, next) => request.preferred?.() ?? next(request);
