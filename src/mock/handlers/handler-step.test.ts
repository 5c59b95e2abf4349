import { expect, test } from 'vitest';
import type { MockResponse } from '../message.ts';
import { answerPreferred, type HandlerStep, joinSteps } from './handler-step.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

const request: ValidRequest = {
  head: { method: 'GET', target: '/pets', header: () => undefined, fields: () => [] },
  path: '/pets',
  parameters: {},
  content: { kind: 'absent' },
};

function responseOf(status: number): MockResponse {
  return { status, headers: [], body: undefined, note: {} };
}

test('calls each step before the next one, and the handler last', () => {
  const called: string[] = [];
  const step =
    (name: string): HandlerStep =>
    (received, next) => {
      called.push(name);
      return next(received);
    };
  const handle = joinSteps([step('first'), undefined, step('second')], () => {
    called.push('last');
    return responseOf(200);
  });
  expect(handle(request)).toEqual(responseOf(200));
  expect(called).toEqual(['first', 'second', 'last']);
});

test('lets a step answer in place of those behind it, and change what they return', async () => {
  const last: OperationHandler = () => responseOf(200);
  const deny: HandlerStep = () => responseOf(403);
  const teapot: HandlerStep = async (received, next) => ({ ...(await next(received)), status: 418 });
  expect(joinSteps([deny], last)(request)).toEqual(responseOf(403));
  await expect(joinSteps([teapot, deny], last)(request)).resolves.toEqual(responseOf(418));
});

test('is the handler itself if no step applies', () => {
  const last: OperationHandler = () => responseOf(200);
  expect(joinSteps([undefined, undefined], last)).toBe(last);
});

test('answers with the preferred response of a request that has one', () => {
  const handle = joinSteps([answerPreferred], () => responseOf(200));
  expect(handle({ ...request, preferred: () => responseOf(404) })).toEqual(responseOf(404));
  expect(handle(request)).toEqual(responseOf(200));
});
