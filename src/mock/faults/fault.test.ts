import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { parseFaultField, parseFaultRule } from './parse-fault.ts';

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
  [{}, '/0 does nothing'],
  [{ delay: 1, delays: 2 }, '/0/delays there is no "delays"'],
  [{ delay: -1 }, '/0/delay must be milliseconds'],
  [{ delay: '200' }, '/0/delay must be milliseconds'],
  [{ delay: [2] }, '/0/delay must be milliseconds'],
  [{ delay: 1e9 }, '/0/delay must be milliseconds'],
  [{ connection: 'cut' }, '/0/connection must be "drop" or "truncate"'],
  [{ connection: 'drop', answer: { status: 500 } }, '/0 has an answer, and drops'],
  [{ delay: 1, operation: 'create' }, '/0/operation there is no operation "create"'],
  [{ delay: 1, operation: 7 }, '/0/operation must be the id'],
  [
    { delay: 1, operation: 'createPlant', method: 'GET' },
    '/0 is for no request: the method of createPlant is POST',
  ],
  [{ delay: 1, method: 'PO ST' }, '/0/method must be the name of a method'],
  [{ delay: 1, path: 'plants' }, '/0/path must be a path without its query'],
  [{ delay: 1, path: '/plants?a=1' }, '/0/path must be a path without its query'],
  [{ delay: 1, times: 0 }, '/0/times must be a whole number from 1 on'],
  [{ delay: 1, times: 1.5 }, '/0/times must be a whole number from 1 on'],
  [{ delay: 1, share: 30 }, '/0/share must be a number from 0 to 1'],
  [{ delay: 1, enabled: 'no' }, '/0/enabled must be true or false'],
  [{ delay: 1, id: 'a/b' }, '/0/id must be 1 to 64'],
  // A client would leave it out of the path of a request.
  [{ delay: 1, id: '..' }, '/0/id must be 1 to 64'],
  [{ answer: 503 }, '/0/answer must be an object'],
  [{ answer: {} }, '/0/answer must have "status"'],
  [{ answer: { status: 100 } }, '/0/answer/status must be a whole number from 200 to 599'],
  [{ answer: { status: '503' } }, '/0/answer/status must be a whole number from 200 to 599'],
  [{ answer: { statuss: 503 } }, '/0/answer/statuss there is no "statuss"'],
  [{ answer: { status: 503, retryAfter: 0.5 } }, '/0/answer/retryAfter must be whole seconds'],
  [{ answer: { status: 204, body: {} } }, '/0/answer/body has no place in an answer 204'],
  [{ answer: { status: 200, example: '' } }, '/0/answer/example must be the name of an example'],
  [{ answer: { status: 200, example: 'a', body: 1 } }, '/0/answer/example has no say beside "body"'],
  [{ answer: { status: 200, headers: [] } }, '/0/answer/headers must be an object'],
  [{ answer: { status: 200, headers: { 'a b': 'c' } } }, '/0/answer/headers/a b "a b" is no name'],
  [
    { answer: { status: 200, headers: { a: 'b\r\nc: d' } } },
    '/0/answer/headers/a must be a text without line',
  ],
  [
    { answer: { status: 200, headers: { 'Content-Length': '1' } } },
    '/0/answer/headers/Content-Length the mock',
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
      { pointer: '/operation', remedy: 'Perhaps "createPlant" was meant' },
      { pointer: '/tims', remedy: 'Perhaps "times" was meant' },
      { pointer: '/delay' },
    ],
  });
});
