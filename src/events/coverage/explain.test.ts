import { expect, test } from 'vitest';
import { explainKeyword, explainOperation, explainUnseenResponse } from './explain.ts';

const tally = { pointer: '/a/type', keyword: 'type', of: 'body', met: 1, broken: 0 } as const;

test('calls it good where the service never failed', () => {
  expect(explainUnseenResponse({ status: { kind: 'exact', status: 500 } })).toContain('as it should be');
  expect(explainUnseenResponse({ status: { kind: 'range', hundreds: 5 } })).toContain('as it should be');
});

const seen = {
  requests: 9,
  accepted: 0,
  isNeverFound: false,
  statuses: new Set<number>(),
};

test('says why nothing was sent to an operation, where that is known', () => {
  const unsent = { ...seen, requests: 0 };
  expect(explainOperation(unsent, 'no value fits')).toBe('not sent: no value fits');
  expect(explainOperation(unsent, undefined)).toBe('not sent: no property of this run sends requests to it');
  expect(explainOperation({ ...unsent, unsent: 'time' }, undefined)).toBe(
    'not sent: the time was over: give more with --max-time',
  );
  expect(explainOperation({ ...unsent, unsent: 'creates' }, undefined)).toBe(
    'not sent, because of --max-creates',
  );
  expect(explainOperation({ ...unsent, unsent: 'method' }, 'no value fits')).toBe('not sent: --read-only');
  expect(explainOperation({ ...unsent, unsent: 'items-of-others' }, undefined)).toBe(
    'not sent: the run did not create what it changes: give --unsafe-methods',
  );
  expect(explainOperation({ ...unsent, unsent: 'shard' }, undefined)).toBe(
    'not sent: no property of this shard sends requests to it',
  );
});

test.each([
  [[404], 'give its path parameters an example'],
  [[403, 401], 'it only ever answered 401 and 403: give --token'],
  [[500, 503], 'it failed at every request'],
  [[405], 'the service does not have it'],
  [[404, 412, 428], '(404, 412, 428): it demands an If-Match, and no ETag in its responses matches'],
  [[400, 404], '(400, 404): give its path parameters an example'],
  [[400, 412], '(400, 412): its schemas say less'],
  [[400, 422], 'it accepted no request that it should accept (400, 422): its schemas say less'],
])('says what to give where an operation only ever answered %j', (statuses, words) => {
  const isNeverFound = statuses.includes(404);
  expect(explainOperation({ ...seen, isNeverFound, statuses: new Set(statuses) }, undefined)).toContain(
    words,
  );
});

test('names known values as the remedy for a login that accepts no generated user', () => {
  const login = { ...seen, isGuarded: false, statuses: new Set([401]) };
  expect(explainOperation(login, undefined)).toBe(
    'it accepted no request that it should accept (401): its schemas say less than it demands, so give what it accepts under values in the configuration, or it is at fault',
  );
});

test('asks for a token only if the operation requires credentials', () => {
  const silent = { ...seen, statuses: new Set<number>() };
  const words = 'no request that it should accept was answered: ';
  expect(explainOperation(silent, undefined)).toBe(`${words}fix what is found`);
  expect(explainOperation({ ...silent, isGuarded: true }, undefined)).toBe(
    `${words}give --token, or fix what is found`,
  );
});

test('says that no property sends a valid request, however many invalid ones were sent', () => {
  const words = 'no property of this run sends a request that it should accept';
  expect(explainOperation({ ...seen, valid: 0 }, undefined)).toBe(words);
  expect(explainOperation({ ...seen, valid: 0, unsent: 'time' }, undefined)).toContain('--max-time');
  expect(explainOperation({ ...seen, valid: 1 }, undefined)).toContain('fix what is found');
});

test('has nothing to explain of an operation that was answered with a success', () => {
  expect(
    explainOperation({ ...seen, accepted: 1, statuses: new Set([200, 404]) }, undefined),
  ).toBeUndefined();
});

test('says nothing of a keyword that was met and broken, or that no answer broke', () => {
  expect(explainKeyword({ ...tally, broken: 1 })).toBeUndefined();
  expect(explainKeyword({ ...tally, of: 'response' })).toBeUndefined();
});

test('knows that a parameter that is a text cannot be anything else', () => {
  expect(explainKeyword({ ...tally, of: 'parameter', value: 'string' })).toBe(
    'any text reads as a value of this type',
  );
});
