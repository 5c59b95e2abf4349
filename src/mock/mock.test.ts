import { expect, test } from 'vitest';
import { ClocheError } from '../errors/cloche-error.ts';
import { checkMockOptions } from './mock.ts';

/** As JavaScript gives them, where no compiler looks. */
function check(options: Readonly<Record<string, unknown>>): () => void {
  return () => checkMockOptions(options);
}

test('lets pass what there is, and what is undefined', () => {
  const given = { tokens: ['s'], cors: false, control: { token: 't' }, seed: 0, log: undefined, faults: [] };
  expect(check(given)).not.toThrow();
});

test.each([
  [{ token: ['s'] }, '"token": there is none of this name. Perhaps "tokens" was meant'],
  [{ tokens: 's3cret' }, '"tokens": it takes a list of texts, and is a text. Write tokens: ["secret"]'],
  [{ tokens: [5] }, '"tokens": it takes a list of texts, and is a list of something else'],
  [{ clock: 5 }, '"clock": it takes a function, and is 5'],
  [{ store: 5 }, '"store": it takes a text or a Store, and is 5'],
  [{ faults: {} }, '"faults": it takes a list of rules, and is of type object'],
  [{ seed: 1.5 }, '"seed": it takes a whole number, and is 1.5'],
  [{ policy: 'orders.policy.yaml' }, 'or what readPolicyFile() reads'],
  [{ cors: { origin: '*' } }, '"origin": there is none of this name. Perhaps "origins" was meant'],
  [{ control: true }, '"control": it takes an object or false, and is true'],
  [{ control: { tokn: 's' } }, '"tokn": there is none of this name. Perhaps "token" was meant'],
])('says what is wrong with %j', (given, sentence) => {
  expect(check(given)).toThrow(ClocheError);
  expect(check(given)).toThrow(sentence);
});

test('does not show a token', () => {
  expect(check({ tokens: 's3cret' })).not.toThrow('s3cret');
});
