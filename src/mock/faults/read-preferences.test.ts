import { expect, test } from 'vitest';
import { parsePrefer, readPreferences } from './read-preferences.ts';

test.each([
  ['code=404', { code: '404' }],
  ['code=404, example=gone', { code: '404', example: 'gone' }],
  ['Code = 404 ,EXAMPLE="not there, \\"yet\\""', { code: '404', example: 'not there, "yet"' }],
  [
    'respond-async, wait=100, code=202; why="a,b"; x, example=a',
    { 'respond-async': '', wait: '100', code: '202', example: 'a' },
  ],
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
  ['/plants?__code=404&__example=not+there', undefined, { code: '404', example: 'not there' }],
  ['/plants?__code=404', 'code=500', { code: '500', example: undefined }],
  ['/plants?name__code=404', undefined, undefined],
  ['/plants', 'return=minimal', undefined],
  ['/plants', undefined, undefined],
])('reads %s with Prefer: %s', (target, prefer, expected) => {
  const header = (name: string): string | undefined => (name === 'prefer' ? prefer : undefined);
  expect(readPreferences({ method: 'GET', target, header, fields: () => [] })).toEqual(expected);
});
