import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createRouter, listServerPrefixes } from './router.ts';

test.each([
  ['https://api.example.com/v1', ['/v1']],
  ['https://api.example.com/v1/', ['/v1']],
  ['/api/v2', ['/api/v2']],
  ['//api.example.com/v3', ['/v3']],
  ['https://{host}.example.com/{base}', ['/v4']],
  ['https://api.example.com', []],
  ['/', []],
  ['http://', []],
])('reads the server %s as %j', (url, prefixes) => {
  const variables = { host: { default: 'eu' }, base: { default: 'v4' } };
  expect(listServerPrefixes({ root: { servers: [{ url, variables }] } })).toEqual(prefixes);
});

test('names each prefix once, and none without servers', () => {
  const servers = [{ url: 'https://a.example.com/v1' }, { url: 'https://b.example.com/v1' }, { url: '/v2' }];
  expect(listServerPrefixes({ root: { servers } })).toEqual(['/v1', '/v2']);
  expect(listServerPrefixes({ root: {} })).toEqual([]);
});

test('reads paths that are equal but for the names of their parameters as one, the first that declares a method before others', () => {
  const answer = { responses: { 200: { description: 'OK' } } };
  const { operations } = contractOf({
    paths: {
      '/a/{x}/b': { get: { ...answer, operationId: 'first' } },
      '/a/{y}/b': { get: { ...answer, operationId: 'second' }, put: { ...answer, operationId: 'third' } },
    },
  });
  const route = createRouter({ operations })('/a/1/b');
  expect(['GET', 'PUT'].map((method) => route?.operations.get(method)?.id)).toEqual(['first', 'third']);
  expect(route?.parameters).toEqual({ x: '1', y: '1' });
});
