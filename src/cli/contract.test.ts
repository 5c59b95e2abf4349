import { expect, test } from 'vitest';
import { parseAnswers } from './contract.ts';

test.each([
  ['things/add:one=two:accept=406', 'things/add:one=two', { accept: 406 }],
  ['POST /a b:echo=none', 'POST /a b', { echo: 'none' }],
  ['add:constraints={"a":{"pattern":"x:echo=1"}}', 'add', { constraints: { a: { pattern: 'x:echo=1' } } }],
])('reads %s as an answer for %s', (text, operation, answers) => {
  expect(parseAnswers([text])).toEqual({ operations: { [operation]: answers } });
});

test('tells of a question that there is not', () => {
  expect(() => parseAnswers(['form:nope=1'])).toThrow('there is no question "nope"');
});
