import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { parsePrefer, readPreferences } from './prefer.ts';

test.each([
  ['code=404', { code: '404' }],
  ['code=404, example=gone', { code: '404', example: 'gone' }],
  ['Code = 404 ,EXAMPLE="not there, \\"yet\\""', { code: '404', example: 'not there, "yet"' }],
  [
    'respond-async, wait=100, code=202; why="a,b"; x, example=a',
    { 'respond-async': '', wait: '100', code: '202', why: 'a,b', x: '', example: 'a' },
  ],
  ['code=404; example=gone', { code: '404', example: 'gone' }],
  ['example=\u00C3\u00BC', { example: 'ü' }],
  ['example=\u00FC', { example: 'ü' }],
  ['__proto__=a', { ['__proto__']: 'a' }],
  // As it comes where a field was sent twice; of a name that stands twice the first counts (RFC 7240 §2).
  ['code=400, code=500', { code: '400' }],
  ['example=two words', { example: 'two words' }],
  ['=, ;, code=400', { code: '400' }],
  ['', {}],
  ['"', {}],
])('reads Prefer: %s', (field, expected) => {
  expect(Object.fromEntries(parsePrefer(field))).toEqual(expected);
});

test.each([
  [
    '/plants?__code=404&__example=not+there',
    undefined,
    { code: '404', example: 'not there', dynamic: undefined },
  ],
  ['/plants?__code=404', 'code=500', { code: '500', example: undefined, dynamic: undefined }],
  ['/plants?__dynamic=true', undefined, { code: undefined, example: undefined, dynamic: 'true' }],
  ['/plants?name__code=404', undefined, undefined],
  ['/plants', 'return=minimal', undefined],
  ['/plants', undefined, undefined],
])('reads %s with Prefer: %s', (target, prefer, expected) => {
  const header = (name: string): string | undefined => (name === 'prefer' ? prefer : undefined);
  expect(readPreferences({ method: 'GET', target, header, fields: () => [] }, undefined)).toEqual(expected);
});

test('leaves a parameter to the operation that declares it', () => {
  const head = {
    method: 'GET',
    target: '/?__code=404&__example=a',
    header: () => undefined,
    fields: () => [],
  };
  const { operations } = contractOf({
    paths: {
      '/': {
        get: {
          parameters: [
            { name: '__code', in: 'query', schema: {} },
            { name: '__example', in: 'header', schema: {} },
          ],
          responses: {},
        },
      },
    },
  });
  expect(readPreferences(head, operations[0])).toEqual({
    code: undefined,
    example: 'a',
    dynamic: undefined,
  });
});
