import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { parseFaultField } from './parse-fault.ts';
import { parseFaultRule } from './parse-rule.ts';

test.each([
  ['drop', { connection: 'drop' }],
  ['delay=200, drop', { delay: 200, connection: 'drop' }],
  ['truncate', { connection: 'truncate' }],
  ['delay=200..400', { delay: [200, 400] }],
  [
    'Delay=0.5, status=503, Retry-After="3", truncate',
    { delay: 0.5, answer: { status: 503, retryAfter: 3 }, connection: 'truncate' },
  ],
  ['status=404, example="not there"', { answer: { status: 404, example: 'not there' } }],
  ['status=200; example="two, of them \\"x\\""', { answer: { status: 200, example: 'two, of them "x"' } }],
  ['status=200, example=a=b', { answer: { status: 200, example: 'a=b' } }],
  // As curl sends ü and é: in UTF-8.
  ['status=200, example=\u00C3\u00BC\u00C3\u00A9', { answer: { status: 200, example: 'üé' } }],
  ['status=200, example=\u00FC', { answer: { status: 200, example: 'ü' } }],
  ['retry-after=3', { answer: { status: 429, retryAfter: 3 } }],
])('reads %s', (field, fault) => {
  expect(parseFaultField(field)).toEqual({ kind: 'fault', fault });
});

test.each([
  ['', 'it is empty'],
  ['slow', 'it says "slow"'],
  ['delay', 'a delay is'],
  ['delay=400..200', 'a delay is'],
  ['delay=-1', 'a delay is'],
  ['status=99', 'a status is'],
  ['status=abc', 'a status is'],
  ['status=503, retry-after=x', 'retry-after takes'],
  ['example=a', 'an example needs a status'],
  ['drop, status=503', 'what is dropped has no answer'],
  ['drop=false', '"drop" takes no value'],
  ['delay=5, truncate=0', '"truncate" takes no value'],
  ['status=503, STATUS=404', 'it says "status" twice'],
  ['status=503, "', 'it says'],
  ['status=', 'a status is'],
  ['drop, truncate', 'what is dropped has no answer'],
])('says what is wrong with %j', (field, reason) => {
  expect(parseFaultField(field)).toMatchObject({
    kind: 'problem',
    reason: expect.stringContaining(reason),
  });
});

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const { operations } = await loadContract(plantStore, { followReferences: false });

/** The problems of a rule, `pointer reason` each. */
function complain(rule: JsonValue): readonly string[] {
  const reading = parseFaultRule(rule, { operations, pointer: '/0' });
  return reading.kind === 'rule' ? [] : reading.problems.map(({ pointer, reason }) => `${pointer} ${reason}`);
}

test.each<JsonValue>([
  { connection: 'drop' },
  { connection: 'drop', operation: 'createPlant', method: 'post' },
  { delay: 0.5, connection: 'truncate' },
  { delay: [2, 1], connection: 'drop', share: 0.5, times: 3, id: 'a.b-c_d~1', enabled: false },
  {
    operation: 'createPlant',
    method: 'POST',
    path: '/plants/{id}',
    answer: { status: 429, retryAfter: 3, headers: { 'X-A': 'b' }, body: { error: 1 } },
  },
  { answer: { status: 200, example: 'a name' } },
])('takes %j', (rule) => {
  expect(complain(rule)).toEqual([]);
});

test.each<[JsonValue, string]>([
  ['drop', '/0 must be an object'],
  [{}, '/0 must have "delay", "answer" or "connection"'],
  [{ delay: 1, delays: 2 }, '/0/delays there is no "delays"'],
  [{ delay: -1 }, '/0/delay must be at least 0'],
  [{ delay: '200' }, '/0/delay must be a number or an array, but is a string'],
  [{ delay: [2] }, '/0/delay must have at least 2 items'],
  [{ delay: 1e9 }, '/0/delay must be at most 3600000'],
  [{ connection: 'cut' }, '/0/connection must be "drop" or "truncate"'],
  [{ connection: 'drop', answer: { status: 500 } }, '/0/answer may not stand here'],
  [{ delay: 1, operation: 'create' }, '/0/operation there is no operation "create"'],
  [{ delay: 1, operation: 7 }, '/0/operation must be a string'],
  [
    { delay: 1, operation: 'createPlant', method: 'GET' },
    '/0 is for no request: the method of createPlant is POST',
  ],
  [{ delay: 1, method: 'PO ST' }, '/0/method must match the pattern'],
  [{ delay: 1, path: 'plants' }, '/0/path must match the pattern'],
  [{ delay: 1, path: '/plants?a=1' }, '/0/path must match the pattern'],
  [{ delay: 1, times: 0 }, '/0/times must be at least 1'],
  [{ delay: 1, times: 1.5 }, '/0/times must be an integer'],
  [{ delay: 1, share: 30 }, '/0/share must be at most 1'],
  [{ delay: 1, enabled: 'no' }, '/0/enabled must be a boolean'],
  [{ delay: 1, id: 'a/b' }, '/0/id must match the pattern'],
  // A client would leave it out of the path of a request.
  [{ delay: 1, id: '..' }, '/0/id must match the pattern'],
  [{ answer: 503 }, '/0/answer must be an object'],
  [{ answer: {} }, '/0/answer must have "status"'],
  [{ answer: { status: 100 } }, '/0/answer/status must be at least 200'],
  [{ answer: { status: '503' } }, '/0/answer/status must be an integer'],
  [{ answer: { status: 503, body_: 1 } }, '/0/answer/body_ there is no "body_"'],
  [{ answer: { status: 503, retryAfter: 0.5 } }, '/0/answer/retryAfter must be an integer'],
  [{ answer: { status: 204, body: {} } }, '/0/answer/body may not stand here'],
  [{ answer: { status: 200, example: '' } }, '/0/answer/example must have at least 1 character'],
  [{ answer: { status: 200, example: 'a', body: 1 } }, '/0/answer/example may not stand here'],
  [{ answer: { status: 200, headers: [] } }, '/0/answer/headers must be an object'],
  [{ answer: { status: 200, headers: { 'a b': 'c' } } }, '/0/answer/headers /a b is not a name'],
  [{ answer: { status: 200, headers: { a: 'b\r\nc: d' } } }, '/0/answer/headers/a must match the pattern'],
  [
    { answer: { status: 200, headers: { 'Content-Length': '1' } } },
    '/0/answer/headers /Content-Length is not a name',
  ],
])('refuses %j', (rule, problem) => {
  expect(complain(rule)[0]).toContain(problem);
});

test('takes numbers as they are written, and leaves the digits of a content alone', () => {
  const parsed = parseJson(
    '{"share":0.50,"times":1e1,"answer":{"status":200.0,"body":{"id":9007199254740993}}}',
  );
  const reading = parseFaultRule(parsed.kind === 'json' ? parsed.value : null, { operations });
  expect(reading).toMatchObject({ rule: { share: 0.5, times: 10, answer: { status: 200 } } });
  expect(reading.kind === 'rule' && stringifyJson(reading.rule.answer?.body ?? null)).toBe(
    '{"id":9007199254740993}',
  );
});

test('names everything that is wrong, and what may have been meant', () => {
  const reading = parseFaultRule({ operation: 'creatPlant', tims: 2, delay: 'x' }, { operations });
  expect(reading).toMatchObject({
    problems: [
      { pointer: '/tims', remedy: 'Perhaps "times" was meant' },
      { pointer: '/delay' },
      { pointer: '/operation', remedy: 'Perhaps "createPlant" was meant' },
    ],
  });
});
