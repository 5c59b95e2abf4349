import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { plainKey, type RequestCase } from '../arbitrary/request-case.ts';
import { loadContract } from '../contract/load.ts';
import {
  createRunMemory,
  createSentMakes,
  createSentTexts,
  rememberBody,
  type SentRequest,
} from './memory.ts';

function sent(operationId: string, text: string): SentRequest {
  const request: RequestCase = {
    operationId,
    method: 'POST',
    target: '/orders',
    headers: [],
    credentials: { kind: 'good' },
    body: [text],
    framing: 'content-length',
  };
  const body = new TextEncoder().encode(text);
  return { request, keys: { serial: () => 1 }, items: new Map(), body, from: 0, to: Infinity };
}

test('finds the texts of requests that are under way, and of those that were answered', () => {
  const texts = createSentTexts();
  const one = sent('createOrder', '{"name":"kWqzRt"}');
  texts.leave(one);
  expect(texts.find('createOrder', 'kWqzRt')).toBe(one);
  expect(texts.find('createOrder', 'kWqz')).toBeUndefined();
  expect(one.to).toBe(Infinity);
  texts.arrive(one, []);
  expect(texts.find('createOrder', 'kWqzRt')).toBeUndefined();
  texts.leave(one);
  texts.arrive(one, ['kWqzRt']);
  expect(texts.find('createOrder', 'kWqzRt')).toBe(one);
  expect(one.to).toBeLessThan(Infinity);
});

test('keeps the texts of operations apart', () => {
  const texts = createSentTexts();
  const one = sent('createOrder', '{"name":"kWqzRt"}');
  texts.leave(one);
  expect(texts.find('createBill', 'kWqzRt')).toBeUndefined();
  texts.arrive(one, ['kWqzRt']);
  expect(texts.find('createBill', 'kWqzRt')).toBeUndefined();
});

test('forgets the oldest texts of a long run', () => {
  const texts = createSentTexts();
  for (let index = 0; index < 5_000; index += 1) {
    const one = sent('createOrder', '');
    texts.leave(one);
    texts.arrive(one, [`text${index}`]);
  }
  expect(texts.find('createOrder', 'text0')).toBeUndefined();
  expect(texts.find('createOrder', 'text4999')).toBeDefined();
});

const rule = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const content = { content: { 'application/json': { schema: rule } } };
const rules = contractOf({
  paths: {
    '/rules': { post: { requestBody: content, responses: { 201: { description: '', ...content } } } },
  },
});

test('knows whether another request may have made an item again between its delete and a look at it', () => {
  const [operation] = rules.operations;
  const makes = createSentMakes();
  const leave = (
    name?: string,
    { isDrawn = false, target = '/rules' } = {},
  ): Parameters<typeof makes.isRepeated>[0] => {
    const body = name === undefined ? undefined : new TextEncoder().encode(JSON.stringify({ id: name }));
    const request = { method: name === undefined ? 'DELETE' : 'POST', target, headers: [], body };
    makes.leave(request, { operation: name === undefined ? undefined : operation, isDrawn });
    return { exchange: { request } };
  };
  const send = (...input: Parameters<typeof leave>): ReturnType<typeof leave> => {
    const sent = leave(...input);
    makes.arrive(sent.exchange.request);
    return sent;
  };
  const isRepeatedBeside = (between: () => void): boolean => {
    const made = send('a');
    const deleted = send();
    between();
    return makes.isRepeated(made, deleted, send());
  };
  expect(isRepeatedBeside(() => undefined)).toBe(false);
  expect(isRepeatedBeside(() => send('b'))).toBe(false);
  expect(isRepeatedBeside(() => send('a', { target: '/others' }))).toBe(false);
  expect(isRepeatedBeside(() => send('a', { isDrawn: true }))).toBe(false);
  expect(isRepeatedBeside(() => send('a'))).toBe(true);
  // One that nobody answered yet may have been done.
  expect(isRepeatedBeside(() => leave('a'))).toBe(true);
});

const contract = await loadContract(undefined, { followReferences: false });

test('knows of an operation that it takes equal bodies once two differ in nothing but their keys', () => {
  const memory = createRunMemory();
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('The contract has no operation.');
  const seen = [
    ['{"id":', plainKey, ',"name":"Basil"}'],
    ['{"id":', plainKey, ',"name":"Thyme"}'],
    ['{"id":', plainKey, ',"name":"Basil"}'],
  ].map((body) => {
    rememberBody({ memory, operation, body });
    return memory.acceptsEqual.has(operation.id);
  });
  expect(seen).toEqual([false, false, true]);
});
