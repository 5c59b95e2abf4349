import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Contract, SecurityScheme } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import { renderCredentials } from './credentials.ts';
import {
  type GivenCredentials,
  listGoodTokens,
  readGivenCredentials,
  replaceTokens,
  splitCredentialHeaders,
} from './given-credentials.ts';
import { buildRequest, renderRequest } from './request.ts';

const bearer: SecurityScheme = { kind: 'bearer', name: 'a' };
const basic: SecurityScheme = { kind: 'basic', name: 'b' };
const authorizationKey: SecurityScheme = {
  kind: 'api-key',
  name: 'c',
  in: 'header',
  parameter: 'Authorization',
};
const cookie: SecurityScheme = { kind: 'api-key', name: 'd', in: 'cookie', parameter: 'session' };
const queryKey: SecurityScheme = { kind: 'api-key', name: 'e', in: 'query', parameter: 'key' };

function contractWith(...schemes: SecurityScheme[]): Contract {
  const contract = contractOf({ paths: { '/a': { get: { responses: { '200': { description: '' } } } } } });
  const security = schemes.map((scheme) => [scheme]);
  return { ...contract, operations: contract.operations.map((each) => ({ ...each, security })) };
}

function sent(scheme: SecurityScheme, token: string | undefined, headers: HeaderList = []): HeaderList {
  const given = readGivenCredentials(contractWith(scheme), token, headers);
  return renderCredentials([scheme], { kind: 'good' }, given).headers;
}

test.each<[SecurityScheme, string, string]>([
  [bearer, 'abc', 'Bearer abc'],
  [bearer, 'Bearer abc', 'Bearer abc'],
  [bearer, 'me:abc', 'Bearer me:abc'],
  [basic, 'me:abc', `Basic ${btoa('me:abc')}`],
  [basic, `Basic ${btoa('me:abc')}`, `Basic ${btoa('me:abc')}`],
  [authorizationKey, 'abc', 'abc'],
  [authorizationKey, 'Bearer abc', 'Bearer abc'],
  [authorizationKey, 'Basic bWU6YWJj', 'Basic bWU6YWJj'],
])('for %o the token "%s" is sent as "%s"', (scheme, token, expected) => {
  expect(sent(scheme, token)).toEqual([['Authorization', expected]]);
});

test('sends a given field as it stands, whatever the scheme and the token are', () => {
  const field = (value: string): HeaderList => [['Authorization', value]];
  for (const scheme of [bearer, basic, authorizationKey]) {
    for (const value of ['Bearer abc', 'Token abc', `Basic ${btoa('me:abc')}`, 'abc']) {
      expect(sent(scheme, 'x:y', field(value))).toEqual(field(value));
    }
  }
});

test('replaces and omits a given cookie, and keeps the cookies that are no credentials', () => {
  const given = readGivenCredentials(contractWith(cookie), undefined, [['cookie', 'lang=en; session=abc']]);
  const cookiesOf = (kind: 'good' | 'none' | 'wrong-token'): readonly string[] =>
    renderCredentials([cookie], { kind }, given).headers.map(([, value]) => value);
  expect(cookiesOf('good')).toEqual(['session=abc', 'lang=en']);
  expect(cookiesOf('none')).toEqual(['lang=en']);
  expect(cookiesOf('wrong-token')).toEqual(['session=not-a-token', 'lang=en']);
});

test('sends given fields to operations that require other credentials, but not with probes', () => {
  const given = readGivenCredentials(contractWith(bearer, queryKey), 'k', [['Authorization', 'Bearer abc']]);
  expect(renderCredentials([queryKey], { kind: 'good' }, given)).toEqual({
    headers: [['Authorization', 'Bearer abc']],
    query: ['key=k'],
  });
  expect(renderCredentials([queryKey], { kind: 'none' }, given)).toEqual({ headers: [], query: [] });
});

test('never makes the good credential of an altered token', () => {
  const given = { token: 'Bearer 12345678' };
  const altered = renderCredentials([authorizationKey], { kind: 'altered-token', how: 'other-case' }, given);
  expect(altered.headers[0]?.[1]).toMatch(/^Bearer (?!12345678$)/u);
});

test('separates the fields of the schemes in use from others', () => {
  const headers: HeaderList = [
    ['AUTHORIZATION', 'Bearer abc'],
    ['Cookie', 'a=1'],
    ['X-Tenant', 'acme'],
  ];
  const [first, second, third] = headers;
  expect(splitCredentialHeaders(headers, contractWith(bearer))).toEqual({
    credentials: [first],
    others: [second, third],
  });
  expect(splitCredentialHeaders(headers, contractWith(cookie)).credentials).toEqual([second]);
  expect(splitCredentialHeaders(headers, contractWith(queryKey)).credentials).toEqual([]);
});

test('lists what is good as the value of some scheme', () => {
  const contract = contractWith(bearer, authorizationKey);
  expect(listGoodTokens(contract, { token: 'Bearer abc' })).toEqual(['Bearer abc', 'abc']);
  expect(listGoodTokens(contract, { token: 'abc', keyPrefix: 'Bearer ' })).toEqual(['abc', 'Bearer abc']);
  expect(listGoodTokens(contract, { token: undefined })).toEqual([]);
});

/** Returns the credentials in a request of a second user, who has some tokens, to an operation with a security. */
function sentByOther(
  security: readonly SecurityScheme[][],
  tokens: Readonly<Record<string, string>>,
  first: GivenCredentials,
): readonly unknown[] {
  const contract = contractWith(...security.flat());
  const [operation] = contract.operations.map((each) => ({ ...each, security }));
  expect.assert(operation !== undefined);
  const given = replaceTokens(first, new Map(Object.entries(tokens)), contract);
  const request = buildRequest(operation, { credentials: { kind: 'good', user: 'other' } });
  const { headers, target } = renderRequest({ request, keys: () => '1', operation, given });
  return [...headers, target];
}

test('sends the tokens of a second user, and those of the first for other schemes', () => {
  const given = { token: 'first', fields: [['Authorization', 'Bearer first'] as const] };
  expect(sentByOther([[bearer, queryKey]], { a: 'second' }, given)).toEqual([
    ['Authorization', 'Bearer second'],
    '/a?key=first',
  ]);
});

test('chooses an alternative for which the second user has credentials, and sends none without one', () => {
  const either = [[queryKey], [bearer]];
  expect(sentByOther(either, { a: 'second' }, { token: 'first' })).toEqual([
    ['Authorization', 'Bearer second'],
    '/a',
  ]);
  const given = { token: 'first', fields: [['Authorization', 'Bearer first'] as const] };
  expect(sentByOther(either, { other: 'second' }, given)).toEqual(['/a']);
});
