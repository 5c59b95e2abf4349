import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { lifeCycleTrace } from '../../../fixtures/life-cycle-trace.ts';
import { followItems } from './follow.ts';

const properties = {
  motto: { type: 'string' },
  size: { type: 'integer' },
  dark: { type: 'boolean' },
};
const content = { 'application/json': { schema: { type: 'object', properties } } };
const patch = { 'application/merge-patch+json': content['application/json'] };
const responses = { '200': { description: '', content }, '404': { description: '' } };
const contract = contractOf({
  paths: {
    '/settings': {
      get: { operationId: 'read', responses },
      put: { operationId: 'replace', requestBody: { content }, responses },
      patch: { operationId: 'update', requestBody: { content: patch }, responses },
    },
  },
});

function findIn(lines: readonly string[]): readonly string[] {
  const trace = lifeCycleTrace(contract, lines);
  return followItems(trace, createCheckContext(contract, {})).map(({ check, cause }) => `${check}: ${cause}`);
}

const see = (value: string): string => `GET /settings > 200 ${value}`;
const put = (value: string): string => `PUT /settings ${value} > 200 ${value}`;
const change = (value: string): string =>
  `PATCH /settings [Content-Type: application/merge-patch+json] ${value} > 200`;
const [old, one, two] = ['a', 'b', 'c'].map((motto) => `{"motto":"${motto}","size":${motto.charCodeAt(0)}}`);

test.each([
  [
    'is as it was before each of three replaces',
    [see(`${old}`), put(`${one}`), see(`${old}`), put(`${two}`), see(`${old}`), put(`${one}`), see(`${old}`)],
    'read-after-write: nothing kept',
  ],
  [
    'keeps one property through three replaces',
    [
      ...[2, 3, 2].flatMap((size) => [
        see(`{"motto":"a","size":${size}}`),
        put(`{"motto":"b","size":${5 - size}}`),
      ]),
      see('{"motto":"a","size":3}'),
    ],
    'read-after-write: motto as it was before',
  ],
  [
    'has a flag that is as before each of three patches',
    [see('{"dark":false}'), ...[0, 1, 2].flatMap(() => [change('{"dark":true}'), see('{"dark":false}')])],
    'read-after-write: nothing kept',
  ],
  [
    'keeps what three replaces left out',
    [0, 1, 2].flatMap(() => [put(`${one}`), see(`${one}`), put('{}'), see(`${one}`)]),
    'replace-is-partial: motto still there',
  ],
  [
    'loses a property in each of three patches of another one',
    [0, 1, 2].flatMap((size) => [
      put(`${one}`),
      see(`${one}`),
      change(`{"size":${size}}`),
      see(`{"size":${size}}`),
    ]),
    'merge-patch: motto lost',
  ],
])('finds a singleton that %s', (_what, lines, found) => {
  expect(findIn(lines)).toContain(found);
  // Two rounds may be the work of another client.
  const isLast = (line: string): boolean => line.startsWith('PUT') || line.startsWith('PATCH');
  expect(
    findIn(
      lines.slice(
        0,
        lines.findLastIndex((line) => isLast(line)),
      ),
    ),
  ).toEqual([]);
});

test.each([
  [
    'is as before two of three changes',
    [
      see(`${old}`),
      ...[`${old}`, `${two}`, `${old}`, `${old}`].flatMap((shown, index) => [
        put(index === 1 ? `${two}` : `${one}`),
        see(shown),
      ]),
    ],
  ],
  [
    'shows what nobody sent',
    [see(`${old}`), ...['x', 'y', 'z'].flatMap((motto) => [put(`${one}`), see(`{"motto":"${motto}"}`)])],
  ],
  [
    'resets a flag of a replace that it keeps',
    [
      see('{"motto":"a","dark":false}'),
      ...['b', 'c', 'd'].flatMap((motto) => [
        put(`{"motto":"${motto}","dark":true}`),
        see(`{"motto":"${motto}","dark":false}`),
      ]),
    ],
  ],
])('finds nothing in a singleton that %s', (_what, lines) => {
  expect(findIn(lines)).toEqual([]);
});

test('finds at once a value in another spelling, which is that of this client', () => {
  const lines = [see('{"motto":"a"}'), put('{"motto":"Best Tea"}'), see('{"motto":"best tea"}')];
  expect(findIn(lines)).toEqual(['read-after-write: motto in another case']);
});
