import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { answer, body, object, text } from '../fixtures/own-judge.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { Contract } from '../src/contract/contract.ts';
import type { RunResult } from '../src/events/events.ts';
import type { Answer, HttpRequest, Send } from '../src/http/message.ts';
import type { RequestReceiver } from '../src/http/request-receiver.ts';
import type { JsonObject } from '../src/json/value.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import { createCallbackSuite } from './callbacks.ts';

const done = { responses: { 202: { description: 'Received.' } } };
const shipment = object({ parcels: { type: 'integer' } });
const order = object({ notify: text });

function contractWith(callbacks: JsonObject): Contract {
  const post = {
    operationId: 'createOrder',
    requestBody: body(order),
    responses: { 201: answer(order), 400: answer() },
    callbacks,
  };
  return contractOf({ paths: { '/orders': { post } } });
}

const shipped = { '{$request.body#/notify}/shipped': { put: { ...done, requestBody: body(shipment) } } };
const contract = contractWith({ shipped });

/** Creates a receiver that gets its requests from `deliver`, and waits for none. */
function createReceiver() {
  const token = '0b9d2a5e-0000-4000-8000-000000000000';
  let received: HttpRequest[] = [];
  const receiver: RequestReceiver = {
    url: 'http://hooks.example',
    open() {
      received = [];
      return { token, received, wait: () => Promise.resolve() };
    },
    stop: () => undefined,
    close: () => Promise.resolve(),
  };
  return { receiver, token, deliver: (request: HttpRequest) => void received.push(request) };
}

const good: HttpRequest = {
  method: 'PUT',
  target: '/shipped',
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{"parcels":2}'),
};

/** Runs the suite on a service that sends callbacks to the URL in an order. */
async function judge(
  callbacks: readonly HttpRequest[],
  change: (of: Answer) => Answer = (of) => of,
): Promise<RunResult> {
  const { receiver, token, deliver } = createReceiver();
  const mock = await createMock(contract, { tokens: [mockToken] });
  const send: Send = async (request, options) => {
    const isOrder = new TextDecoder().decode(request.body).includes(`http://hooks.example/${token}`);
    if (isOrder) callbacks.forEach(deliver);
    return change(await mock.send(request, options));
  };
  return runOnMock({ mock, send, suites: [createCallbackSuite(receiver)], runs: 1 });
}

const tell = ({ findings }: RunResult) =>
  findings.map(({ finding: { check, operation, expected, received, clause } }) => ({
    check,
    operation,
    expected,
    received,
    clause: clause.kind === 'document' ? clause.pointer : undefined,
  }));

const declared = '/paths/~1orders/post/callbacks/shipped/{$request.body#~1notify}~1shipped/put';
const media = `${declared}/requestBody/content`;

test('finds nothing in callbacks as declared, however many there are', async () => {
  const result = await judge([good, good]);
  expect(tell(result)).toEqual([]);
  expect(result.properties).toMatchObject([{ property: 'createOrder.callback', verdict: 'held' }]);
});

test.each<[string, Partial<HttpRequest>, { expected: string; received: string; clause: string }]>([
  [
    'another method',
    { method: 'POST' },
    {
      expected: 'the callback shipped with PUT',
      received: 'POST application/json {"parcels":2}',
      clause: declared,
    },
  ],
  [
    'an undeclared media type',
    { headers: [['Content-Type', 'text/plain']] },
    {
      expected: 'the callback shipped with content in application/json',
      received: 'PUT text/plain {"parcels":2}',
      clause: media,
    },
  ],
  [
    'no body',
    { headers: [], body: undefined },
    {
      expected: 'the callback shipped with content in application/json',
      received: 'PUT without a media type without content',
      clause: media,
    },
  ],
  [
    'content that is not JSON',
    { body: Buffer.from('{') },
    {
      expected: 'the callback shipped with content in JSON',
      received: expect.stringMatching(/^PUT application\/json \{ \(.+\)$/u),
      clause: `${declared}/requestBody`,
    },
  ],
  [
    'a body that its schema does not accept',
    { body: Buffer.from('{"parcels":"two"}') },
    {
      expected: expect.stringMatching(
        /^the callback shipped with content that its schema accepts: .*parcels/u,
      ),
      received: 'PUT application/json {"parcels":"two"}',
      clause: `${media}/application~1json/schema/properties/parcels/type`,
    },
  ],
])('finds a callback with %s', async (_title, change, found) => {
  const result = await judge([{ ...good, ...change }]);
  expect(tell(result)).toEqual([{ check: 'callback-schema', operation: 'createOrder', ...found }]);
});

test('judges each callback of a request', async () => {
  expect(tell(await judge([good, { ...good, method: 'POST' }]))).toHaveLength(1);
});

test.each<[string, (of: Answer) => Answer, RegExp]>([
  ['does not come', (of) => of, /^no callback shipped came within 3 s of the response/u],
  [
    'cannot come, because the request was refused',
    (of) => (of.kind === 'response' ? { ...of, response: { ...of.response, status: 400 } } : of),
    /^the service refused the request, so it sends no callback shipped/u,
  ],
])('does not check a callback that %s', async (_title, change, reason) => {
  const { notChecked, findings } = await judge([], change);
  expect(findings.filter(({ finding }) => finding.check === 'callback-schema')).toEqual([]);
  expect(notChecked).toContainEqual({
    what: expect.stringContaining('createOrder.callback'),
    reason: expect.stringMatching(reason),
  });
});

test('lists callbacks whose URL the request does not set', () => {
  const { receiver } = createReceiver();
  const plan = createCallbackSuite(receiver).plan({
    contract: contractWith({ shipped, archived: { 'http://archive.example/hook': { post: done } } }),
    policy: defaultPolicy,
    unsafeMethods: true,
  });
  expect(plan.kind === 'properties' && plan.properties.map(({ id }) => id)).toEqual(['createOrder.callback']);
  expect(plan.notChecked).toEqual([
    {
      what: 'callback archived of createOrder',
      reason: expect.stringContaining(
        'http://archive.example/hook does not begin with a part of the request',
      ),
    },
  ]);
});
