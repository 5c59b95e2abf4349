import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { describeTrigger } from './describe.ts';
import type { Finding } from './finding.ts';
import { readRequest } from './classify/request.ts';
import type { ClassifiedRequest } from './classify/subject.ts';

const contract = await loadContract(undefined, { followReferences: false });
const [operation] = contract.operations;

function trigger(
  body: string,
  key: ClassifiedRequest['key'] = 'allocated',
  framing: ClassifiedRequest['framing'] = 'content-length',
  token = 'good',
): Pick<Finding, 'trigger' | 'otherTriggers'> {
  const headers = [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ] as const;
  const target = operation?.path.template ?? '';
  const reading = readRequest({
    request: { method: 'POST', target, headers, body: Buffer.from(body) },
    operation,
    pathParameters: {},
    goodTokens: ['good'],
    framing,
  });
  return describeTrigger({ ...reading, key });
}

test('has no trigger for a plain request', () => {
  expect(trigger('{"id":1,"name":"fern"}')).toEqual({});
});

test('names each place at which a body breaks its schema', () => {
  expect(trigger('{"name":1,"tag":null}')).toEqual({
    trigger: 'a body that breaks its schema at /name',
    otherTriggers: ['a body that breaks its schema at /tag', 'a body that breaks its schema'],
  });
});

test('names the marks in a text besides what else is odd about it', () => {
  expect(trigger(`{"id":1,"name":"\u00e9'"}`)).toEqual({
    trigger: 'a valid body with characters past ASCII at /name',
    otherTriggers: ['a valid body with an unusual text at /name'],
  });
  expect(trigger('{"id":1,"name":"\u00e9"}').otherTriggers).toEqual([]);
});

test('names a key that was sent before besides what is odd about the body', () => {
  expect(trigger('{"id":0,"name":"fern"}', 'sent')).toEqual({
    trigger: 'a valid body with zero at /id',
    otherTriggers: ['a plain valid body whose key was sent before'],
  });
  expect(trigger('{"id":1e2,"name":"fern"}', 'sent').otherTriggers).toEqual([
    'a plain valid body whose key was sent before',
  ]);
  expect(trigger('{"id":1,"name":"fern"}', 'sent').otherTriggers).toEqual([]);
});

test('names what is odd around a body beside what is odd in it: either may do it alone', () => {
  expect(trigger('{"id":0,"name":"fern"}', 'allocated', 'chunked')).toEqual({
    trigger: 'a valid body with zero at /id in chunks',
    otherTriggers: ['a plain valid body in chunks', 'a valid body with zero at /id'],
  });
});

test('names what is wrong with a body beside credentials that are not good', () => {
  const withToken = (token: string, body: string): unknown =>
    trigger(body, 'allocated', 'content-length', token).otherTriggers;
  expect(withToken('bad', '{')).toEqual(['a body that is not JSON']);
  expect(withToken('bad', '{"id":1}')).toEqual(['a body that breaks its schema']);
  expect(withToken('bad', '{"id":1,"name":"fern"}')).toEqual([]);
});
