import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { ExactNumber } from '../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkAgainstContract } from './policy-file.ts';
import { checkAnswers } from './validate.ts';

function complain(value: JsonValue, scope: 'service' | 'operation' = 'service'): readonly string[] {
  return checkAnswers(value, scope).map(({ pointer, reason, remedy }) => `${pointer}: ${reason}. ${remedy}.`);
}

test.each<[JsonValue, string]>([
  [
    { 'duplicte-key': 'refuse' },
    '/duplicte-key: there is no question "duplicte-key". Perhaps "duplicate-key" was meant.',
  ],
  [
    { 'duplicate-key': 'conflct' },
    '/duplicate-key: "conflct" is no answer to this question. Perhaps "conflict" was meant.',
  ],
  [{ accept: '406' }, '/accept: "406" is no answer to this question. Perhaps 406 was meant.'],
  [{ echo: 7 }, '/echo: 7 is no answer to this question. It takes "exact", "none".'],
  [{ 'rate-limit': 50 }, '/rate-limit: 50 is no answer to this question. It takes "none", {"perSecond":50}.'],
  [
    { 'rate-limit': { perSecnd: 50 } },
    '/rate-limit/perSecnd: there is no "perSecnd". Perhaps "perSecond" was meant.',
  ],
  [
    { 'body-limit': { bytes: 1, status: 500 } },
    '/body-limit/status: must be at most 499, but is 500. Write it as in {"bytes":65536,"status":413}.',
  ],
  [
    { 'body-limit': { bytes: 1 } },
    '/body-limit: must have "status". Write it as in {"bytes":65536,"status":413}.',
  ],
  [
    { 'error-codes': { 'malformd-body': 1 } },
    '/error-codes/malformd-body: there is no "malformd-body". Perhaps "malformed-body" was meant.',
  ],
  [
    { constraints: { name: { maxLenght: 3 } } },
    '/constraints/name/maxLenght: there is no "maxLenght". Perhaps "maxLength" was meant.',
  ],
  [
    { constraints: { name: { maxLength: -3 } } },
    '/constraints/name/maxLength: must be at least 0, but is -3. Write it as in {"name":{"maxLength":255}}.',
  ],
  [
    { 'unique-properties': 'name' },
    '/unique-properties: "name" is no answer to this question. Write it as in ["name"].',
  ],
])('says of %j what is wrong and what is right', (value, sentence) => {
  const said = complain(value);
  expect(said).toContain(sentence);
});

test.each<JsonValue>([['a-secret'], 'a-secret', { tokens: ['a-secret'] }])(
  'keeps a token that stands in a policy to itself: %j',
  (answer) => {
    expect(complain({ 'accepted-tokens': answer })).toEqual([
      '/accepted-tokens: must be "any" or "listed": a policy never holds a token. Write "listed", and give the tokens with --token or --token-file.',
    ]);
  },
);

test('knows a slip of the pen from a token', () => {
  expect(complain({ 'accepted-tokens': 'lsted' })).toEqual([
    '/accepted-tokens: must be "any" or "listed": a policy never holds a token. Perhaps "listed" was meant.',
  ]);
});

test('refuses a fragment that cannot be compiled', () => {
  const [sentence] = complain({ constraints: { name: { properties: { a: { type: 'text' } } } } });
  expect(sentence).toMatch(/^\/constraints\/name: is no JSON Schema that can be used: /u);
});

test('an operation has no say in what reaches none', () => {
  const value = { 'other-operations': { method: 405, path: 404 } };
  expect(complain(value)).toEqual([]);
  expect(complain(value, 'operation')).toEqual([
    '/other-operations: it is about requests that reach no operation. Answer it for the whole service.',
  ]);
});

function post(operationId: string, schema: JsonObject): JsonObject {
  const responses = { '201': { description: 'Created' } };
  return { operationId, responses, requestBody: { content: { 'application/json': { schema } } } };
}

const order = {
  allOf: [
    { properties: { amount: { type: 'integer', maximum: new ExactNumber('9223372036854775807') } } },
    { oneOf: [{ properties: { note: { type: 'string' } } }] },
  ],
};
const contract = contractOf({
  paths: {
    '/orders': { post: post('order', order) },
    '/people': { post: post('person', { properties: { name: { type: 'string' } } }) },
  },
});

test('names every property that no body has, with the nearest that there is', () => {
  const constraints = { amont: { maximum: 9 }, note: { maxLength: 9 } };
  expect(checkAgainstContract({ constraints }, contract)).toEqual([
    {
      pointer: '/answers/constraints/amont',
      reason: 'no body has a property "amont"',
      remedy: 'Perhaps "amount" was meant',
    },
  ]);
});

test('looks at the operation alone that an answer is about', () => {
  const operations = { person: { constraints: { amount: { maximum: 9 }, name: { maxLength: 9 } } } };
  expect(checkAgainstContract({ operations }, contract)).toEqual([
    {
      pointer: '/operations/person/constraints/amount',
      reason: 'no body has a property "amount"',
      remedy: 'There is name',
    },
  ]);
});

test.each<[string, JsonObject]>([
  ['names nothing', { type: 'object' }],
  ['names by pattern', { properties: { a: {} }, patternProperties: { '^x-': {} } }],
])('takes any property where a body %s', (_name, schema) => {
  const open = contractOf({ paths: { '/orders': { post: post('order', schema) } } });
  expect(checkAgainstContract({ constraints: { other: { maximum: 9 } } }, open)).toEqual([]);
});
