import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createRouter, listServerPrefixes, matchMixed } from './router.ts';

const responses = { '200': { description: 'ok' } };
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

test('reads several parameters of one segment, each as short as can be', () => {
  const parameters = ['year', 'month', 'rest'].map(parameter);
  const route = createRouter(
    contractOf({ paths: { '/logs/{year}-{month}-{rest}.json': { get: { parameters, responses } } } }),
  );
  expect(route('/logs/2026-11-23-a.json')?.parameters).toEqual({ year: '2026', month: '11', rest: '23-a' });
  expect(route('/logs/2026-11-.json')).toBeUndefined();
  expect(route('/logs/2026-11-23.xml')).toBeUndefined();
});

test('reads what an expression with a lazy group for each parameter reads', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '-', '.'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), text, (literals, segment) => {
      const escaped = literals.map((literal) => literal.replaceAll('.', String.raw`\.`));
      const match = new RegExp(`^${escaped.join('(.+?)')}$`, 'u').exec(segment);
      expect(matchMixed(literals, segment)).toEqual(match === null ? undefined : match.slice(1));
    }),
    { numRuns: 2_000 },
  );
});

test('reads a parameter beside text that a path has to have percent-encoded', () => {
  const get = { get: { parameters: [parameter('name')], responses } };
  const route = createRouter(contractOf({ paths: { '/pages/{name}#top': get, '/menus/{name}é': get } }));
  expect(route('/pages/a%2Fb%23top')?.parameters).toEqual({ name: 'a%2Fb' });
  expect(route('/menus/tea%c3%a9')?.parameters).toEqual({ name: 'tea' });
  expect(route('/pages/a%23end')).toBeUndefined();
});

test('takes one pass for a segment that nearly fits, however long it is', () => {
  expect(matchMixed(['', '-', '-', '-', '-', '.json'], '-'.repeat(100_000))).toBeUndefined();
});

test.each([
  ['https://api.example.com/v1', ['/v1']],
  ['https://api.example.com/v1/', ['/v1']],
  ['/api/v2', ['/api/v2']],
  ['//api.example.com/v3', ['/v3']],
  ['https://{host}.example.com/{base}', ['/v4', '/v5']],
  ['https://api.example.com', []],
  ['/', []],
  ['http://', []],
])('reads the server %s as %j', (url, prefixes) => {
  const variables = { host: { default: 'eu' }, base: { default: 'v4', enum: ['v5', 'v4'] } };
  expect(listServerPrefixes({ root: { servers: [{ url, variables }] } })).toEqual(prefixes);
});

test('takes the servers of paths and operations too, behind those of the document', () => {
  const at = (url: string): JsonObject => ({ servers: [{ url }] });
  const root = { ...at('/v1'), paths: { '/a': { ...at('/v2'), get: at('/v3') } } };
  expect(listServerPrefixes({ root })).toEqual(['/v1', '/v2', '/v3']);
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
