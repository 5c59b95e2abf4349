import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/json/value.ts';
import { parsePolicy } from '../../src/policy/policy-file.ts';
import { describeValue } from '../../src/policy/policy.ts';
import { behaviours } from '../../src/policy/behaviours/index.ts';
import { checkAnswer } from '../../src/policy/validate.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { policySchema } from './policy.ts';

const file = new URL('../../spec/policy.schema.json', import.meta.url).pathname;
const fits = compileSchema({ schema: policySchema, pointer: '' }).validator({
  formats: 'assert',
  integers: 'digits',
});

// `npx vitest run src/policy/policy-schema -u` writes it anew.
test('the published schema is made of the questions', async () => {
  await expect(`${JSON.stringify(policySchema, undefined, 2)}\n`).toMatchFileSnapshot(file);
});

/** No answer to any question. */
const nonsense: readonly JsonValue[] = [
  null,
  true,
  -1,
  1.5,
  '',
  'nonsense',
  [1],
  { nonsense: 1 },
  { status: 999, body: 'error' },
  { bytes: 0, status: 400 },
  { bytes: 10, status: 500 },
  { perSecond: 0 },
  { method: 500, path: 404 },
  { name: 'maxLength' },
];

const answers = Object.values(behaviours).flatMap(({ id, representatives }) =>
  // `as`: answers are JSON, but for being read only.
  (representatives as unknown as readonly JsonValue[]).map((answer) => ({ id, answer })),
);

test.each(answers)('$id may be $answer, in words of its own', ({ id, answer }) => {
  expect(checkAnswer(id, answer)).toEqual([]);
  expect(fits({ answers: { [id]: answer } }, false)).toEqual([]);
  // `as`: an answer to this very question.
  const words = describeValue(id, answer as never);
  expect(words).toMatch(/^[^A-Z]\S*( \S+)*[^.]$|^none$/u);
});

test.each(Object.values(behaviours).map(({ id }) => id))('%s is no nonsense', (id) => {
  const taken = nonsense.filter(
    (answer) =>
      checkAnswer(id, answer).length === 0 || fits({ answers: { [id]: answer } }, false).length === 0,
  );
  expect(taken).toEqual([]);
});

test.each<[string, JsonValue]>([
  ['no object', []],
  ['nothing', {}],
  ['another key', { answers: {}, answer: {} }],
  ['an unknown question', { answers: { 'dupe-key': 'refuse' } }],
  ['answers that are none', { answers: [] }],
  ['operations that are none', { answers: {}, operations: ['x'] }],
  ['an operation without answers', { answers: {}, operations: { x: 'refuse' } }],
  [
    'undeclared paths of an operation',
    { answers: {}, operations: { x: { 'other-operations': { method: 405, path: 404 } } } },
  ],
  ['a contract that is no text', { answers: {}, contract: 1 }],
  ['an empty contract', { answers: {}, contract: '' }],
  ['evidence that is none', { answers: {}, evidence: 'seen' }],
])('refuses %s as the published schema does', (_name, value) => {
  expect(parsePolicy(value).problems.length).toBeGreaterThan(0);
  expect(fits(value, false).length).toBeGreaterThan(0);
});

test('takes a whole file as the published schema does', () => {
  const value: JsonValue = {
    $schema: './policy.schema.json',
    contract: 'orders.yaml',
    answers: { 'duplicate-key': 'conflict', constraints: { name: { maxLength: 3 } } },
    operations: { createOrder: { echo: 'none' } },
    evidence: { 'duplicate-key': ['POST /orders → 409'] },
  };
  expect(parsePolicy(value)).toEqual({ file: value, problems: [] });
  expect(fits(value, false)).toEqual([]);
});
