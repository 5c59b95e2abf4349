import type { SecurityScheme } from '../../contract/security.ts';
import { decodeUtf8 } from '../../http/decode-utf8.ts';
import { parseCookies } from '../../contract/parameters/parse-cookies.ts';
import { decodeQueryText, parseQuery } from '../../contract/parameters/parse-query.ts';
import type { RequestHead } from '../steps/request-head.ts';
import type { CredentialState } from './credential-state.ts';

/** Says what a request shows for one security scheme. */
export type CredentialCheck = (head: RequestHead) => CredentialState;

/** A scheme's name, white space, and what belongs to it (RFC 9110 §11.4). */
const authorization = /^([^ \t]+)[ \t]+(.*)$/su;

/** What stands behind a scheme's name; names are compared without regard to case (RFC 9110 §11.1). */
function credentialsOf(head: RequestHead, scheme: string): string | undefined {
  const field = head.header('authorization');
  if (field === undefined) {
    return undefined;
  }
  // The way of a well-behaved client, without a regular expression.
  const isPlain = field.charCodeAt(scheme.length) === 0x20 && field.charCodeAt(scheme.length + 1) > 0x20;
  const match = isPlain ? undefined : authorization.exec(field);
  const name = isPlain ? field.slice(0, scheme.length) : (match?.[1] ?? field);
  const rest = isPlain ? field.slice(scheme.length + 1) : (match?.[2] ?? '');
  return name.toLowerCase() === scheme ? rest : undefined;
}

/** Several fields of a name arrive joined with a comma, which no bearer token holds (RFC 6750 §2.1). */
const noSingleToken = /[\s,]/u;

function judge(credentials: string | undefined, tokens: ReadonlySet<string> | 'any'): CredentialState {
  if (credentials === undefined || credentials === '') {
    return 'missing';
  }
  if (tokens !== 'any') {
    return tokens.has(credentials) ? 'good' : 'invalid';
  }
  return noSingleToken.test(credentials) ? 'invalid' : 'good';
}

function decodeBasic(credentials: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0));
    return decodeUtf8(bytes);
  } catch {
    return undefined;
  }
}

function judgeBasic(credentials: string | undefined, tokens: ReadonlySet<string> | 'any'): CredentialState {
  if (credentials === undefined || credentials === '') {
    return 'missing';
  }
  const pair = decodeBasic(credentials);
  if (pair === undefined || !/^[^:]+:.+$/su.test(pair)) {
    return 'invalid';
  }
  return tokens === 'any' || tokens.has(pair) ? 'good' : 'invalid';
}

function judgeKey(values: readonly string[], tokens: ReadonlySet<string> | 'any'): CredentialState {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) {
    return 'missing';
  }
  const isGood = given.length === 1 && (tokens === 'any' || tokens.has(given[0] ?? ''));
  return isGood ? 'good' : 'invalid';
}

/**
 * Prepares the check of one security scheme (OpenAPI 3.1 §4.8.27).
 *
 * @param tokens - what is let in: bearer tokens, keys, and `user:password` of basic authentication; `any`
 * lets in whatever is not empty
 */
export function createCredentialCheck(
  scheme: SecurityScheme,
  tokens: ReadonlySet<string> | 'any',
): CredentialCheck {
  switch (scheme.kind) {
    case 'bearer':
      return (head) => judge(credentialsOf(head, 'bearer'), tokens);
    case 'basic':
      return (head) => judgeBasic(credentialsOf(head, 'basic'), tokens);
    case 'api-key': {
      const { in: place, parameter } = scheme;
      const field = parameter.toLowerCase();
      if (place === 'header') {
        return (head) => judgeKey([head.header(field) ?? ''], tokens);
      }
      const members = (head: RequestHead): readonly (readonly [string, string])[] =>
        place === 'cookie' ? parseCookies(head.header('cookie')) : parseQuery(head.target);
      return (head) => {
        const own = members(head).filter(([name]) => name === parameter);
        return judgeKey(
          own.map(([, value]) => (place === 'query' ? decodeQueryText(value) : value)),
          tokens,
        );
      };
    }
    case 'unjudged':
      return () => 'good';
  }
}
