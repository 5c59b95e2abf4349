import { expect, test } from 'vitest';
import { parseFaultField } from './parse-fault.ts';

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
