import { expect, test } from 'vitest';
import { listServerPrefixes } from './router.ts';

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
