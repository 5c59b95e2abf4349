import { expect, test } from 'vitest';
import { buildContract } from '../contract/build.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import { findErrorCode } from './error-code.ts';

const integer = { type: 'integer' };

/** The code in a body, where the document declares these properties for 400; none where they are left out. */
function codeOf(text: string, properties?: JsonValue, status = 400): number | undefined {
  const schema = properties === undefined ? true : { type: 'object', properties };
  const { operations } = buildContract({
    source: 'orders.yaml',
    version: '3.1',
    openapi: '3.1.0',
    locate: () => undefined,
    root: {
      paths: {
        '/orders': {
          get: { responses: { '400': { description: 'no', content: { 'application/json': { schema } } } } },
        },
      },
    },
  });
  const json = parseJson(text);
  return findErrorCode(json.kind === 'json' ? json.value : undefined, status, operations[0]);
}

test.each([
  ['the one that is called so, among several', '{"code":17,"count":3}', 17],
  ['whatever it is called, where it is the only one', '{"problem":17,"message":"no"}', 17],
  ['besides a repeated status', '{"status":400,"code":17}', 17],
  ['by its value, however it is written', '{"code":4e2}', 400],
  ['not among several that are called otherwise', '{"problem":17,"count":3}', undefined],
  ['not in a repeated status', '{"status":400}', undefined],
  ['not in a number that is not whole', '{"ratio":0.5}', undefined],
  ['not in what is no object', '[17]', undefined],
])('finds the code of an error that is not described: %s', (_what, text, code) => {
  expect(codeOf(text)).toBe(code);
});

test('what the schema does not declare as a number is no code', () => {
  const message = { type: 'string' };
  expect(codeOf('{"timestamp":1732297459,"message":"no"}', { message })).toBeUndefined();
  expect(codeOf('{"code":17,"message":"no"}', { message })).toBeUndefined();
  expect(codeOf('{"problem":17,"at":1732297459}', { problem: integer, message })).toBe(17);
  expect(codeOf('{"code":17,"count":3}', { code: message, count: integer })).toBe(3);
});

test('of several declared numbers the one that is called so is the code', () => {
  expect(codeOf('{"code":17,"count":3}', { code: integer, count: integer })).toBe(17);
  expect(codeOf('{"problem":17,"count":3}', { problem: integer, count: integer })).toBeUndefined();
});

test('an error of an undeclared status is read by the error that speaks for others', () => {
  expect(codeOf('{"problem":17,"at":1732297459}', { problem: integer }, 409)).toBe(17);
});
