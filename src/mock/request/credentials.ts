import type { SecurityAlternative, SecurityScheme } from '../../contract/contract.ts';
import { decodeBasic } from '../../http/bytes.ts';
import { parseCookies } from '../../contract/read-parameters.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { RequestHead } from '../message.ts';

/** Credentials that are not let in. */
export interface CredentialsProblem {
  readonly condition: 'missing-credentials' | 'invalid-credentials';
  /** What came and what to send instead. It repeats nothing that may be a secret in the wrong place. */
  readonly message: string;
  /** The value of WWW-Authenticate, for a 401. */
  readonly challenge: string;
}

/** Judges the credentials of a request; undefined where they are let in. */
export type Authenticator = (head: RequestHead) => CredentialsProblem | undefined;

/**
 * Prepares the check of credentials: any one alternative lets a request in, and of an alternative all
 * schemes are wanted (OpenAPI 3.1 §4.8.30). Undefined where no credentials are asked for.
 *
 * @param tokens - bearer tokens, keys, and `user:password`; `any` lets in whatever is not empty
 */
export function createAuthenticator(
  security: readonly SecurityAlternative[],
  tokens: ReadonlySet<string> | 'any',
): Authenticator | undefined {
  if (security.length === 0 || security.some((alternative) => alternative.length === 0)) return undefined;
  const alternatives = security.map((schemes) =>
    schemes.map((scheme) => createCredentialCheck(scheme, tokens)),
  );
  const schemes = security.flat();
  const wanted = security.map((alternative) => alternative.map(describeScheme).join(' and ')).join(', or ');
  const challengeFor = (isInvalid: boolean): string => {
    const challenges = schemes.map((scheme) => challenge(scheme, isInvalid));
    return [...new Set(challenges.filter((each) => each !== undefined))].join(', ');
  };
  const missing: CredentialsProblem = {
    condition: 'missing-credentials',
    message: `Credentials are missing: send ${wanted}.`,
    challenge: challengeFor(false),
  };
  const invalid: CredentialsProblem = {
    condition: 'invalid-credentials',
    message: `The credentials are not known: send ${wanted} that is accepted.`,
    challenge: challengeFor(true),
  };
  const fieldSchemes = schemes
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'bearer' || kind === 'basic');

  function explainMissing(head: RequestHead): CredentialsProblem {
    const field = head.header('authorization');
    // A field that is as wanted lacks nothing: something else of its alternative does.
    const isMeant = fieldSchemes.some((scheme) => field?.toLowerCase().startsWith(`${scheme} `) === true);
    return field === undefined || isMeant || fieldSchemes.length === 0
      ? missing
      : { ...missing, message: `${describeAuthorization(field)}: send ${wanted}.` };
  }

  return (head) => {
    // Several alternatives fail as the one does that came closest: with credentials that were not good.
    let isInvalid = false;
    let lacking: SecurityAlternative | undefined;
    for (const [index, checks] of alternatives.entries()) {
      const states = checks.map((check) => check(head));
      if (states.every((state) => state === 'good')) return undefined;
      isInvalid ||= states.includes('invalid');
      if (states.includes('good')) {
        lacking ??= security[index]?.filter((_, position) => states[position] !== 'good');
      }
    }
    if (isInvalid) return invalid;
    const more = lacking?.map(describeScheme).join(' and ');
    return more === undefined
      ? explainMissing(head)
      : { ...missing, message: `Credentials are missing: send ${more} as well.` };
  };
}

type CredentialState = 'good' | 'missing' | 'invalid';

/** A scheme's name, white space, and what belongs to it (RFC 9110 §11.4). */
const authorization = /^([^ \t]+)[ \t]+(.*)$/su;

/** What stands behind a scheme's name; names are compared without regard to case (RFC 9110 §11.1). */
function credentialsOf(head: RequestHead, scheme: string): string | undefined {
  const field = head.header('authorization');
  if (field === undefined) return undefined;
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
  if (credentials === undefined || credentials === '') return 'missing';
  if (tokens !== 'any') return tokens.has(credentials) ? 'good' : 'invalid';
  return noSingleToken.test(credentials) ? 'invalid' : 'good';
}

function judgeBasic(credentials: string | undefined, tokens: ReadonlySet<string> | 'any'): CredentialState {
  if (credentials === undefined || credentials === '') return 'missing';
  const pair = decodeBasic(credentials);
  if (pair === undefined || !/^[^:]+:.+$/su.test(pair)) return 'invalid';
  return tokens === 'any' || tokens.has(pair) ? 'good' : 'invalid';
}

function judgeKey(values: readonly string[], tokens: ReadonlySet<string> | 'any'): CredentialState {
  const given = values.filter((value) => value !== '');
  if (given.length === 0) return 'missing';
  return given.length === 1 && (tokens === 'any' || tokens.has(given[0] ?? '')) ? 'good' : 'invalid';
}

/** Prepares the check of one security scheme (OpenAPI 3.1 §4.8.27). */
function createCredentialCheck(
  scheme: SecurityScheme,
  tokens: ReadonlySet<string> | 'any',
): (head: RequestHead) => CredentialState {
  switch (scheme.kind) {
    case 'bearer':
      return (head) => judge(credentialsOf(head, 'bearer'), tokens);
    case 'basic':
      return (head) => judgeBasic(credentialsOf(head, 'basic'), tokens);
    case 'api-key': {
      const { in: place, parameter } = scheme;
      const field = parameter.toLowerCase();
      // Documents of version 2.0 declare a bearer token this way, so that its scheme may precede it.
      const readKey =
        field === 'authorization'
          ? (head: RequestHead) => credentialsOf(head, 'bearer') ?? head.header(field)
          : (head: RequestHead) => head.header(field);
      if (place === 'header') return (head) => judgeKey([readKey(head) ?? ''], tokens);
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

/** The schemes that IANA lists, and some that are sent all the same. */
const knownSchemes: ReadonlyMap<string, string> = new Map(
  (
    'ApiKey AWS4-HMAC-SHA256 Basic Bearer Concealed Digest DPoP GNAP HOBA JWT Mutual Negotiate NTLM OAuth ' +
    'PrivateToken SCRAM-SHA-1 SCRAM-SHA-256 Token vapid'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

/**
 * Says what an Authorization field holds, as far as it can be said aloud: the name of a scheme that
 * everybody knows, and never a word of the client's own, which may be a secret in the wrong place.
 */
function describeAuthorization(field: string): string {
  const subject = 'The Authorization header';
  const [first = '', ...rest] = field.trim().split(/[ \t]+/u);
  if (first === '') return `${subject} is empty`;
  const scheme = knownSchemes.get(first.toLowerCase());
  if (rest.length === 0) {
    return scheme === undefined
      ? `${subject} holds no scheme`
      : `${subject} names the scheme ${scheme} and no ${scheme === 'Bearer' ? 'token' : 'credentials'}`;
  }
  return scheme === undefined
    ? `${subject} uses a scheme that is not known`
    : `${subject} uses the scheme ${scheme}`;
}

function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'bearer':
      return 'the header Authorization with "Bearer" and a token';
    case 'basic':
      return 'the header Authorization with "Basic" and a user and password in Base64';
    case 'api-key':
      return scheme.in === 'query'
        ? `the key in the query parameter "${scheme.parameter}"`
        : `the key in the ${scheme.in} "${scheme.parameter}"`;
    case 'unjudged':
      return `the credentials of "${scheme.name}"`;
  }
}

/** The WWW-Authenticate challenge of a scheme (RFC 9110 §11.6.1, RFC 6750 §3, RFC 7617 §2); API keys have none. */
function challenge(scheme: SecurityScheme, isInvalid: boolean): string | undefined {
  switch (scheme.kind) {
    case 'bearer':
      return isInvalid ? 'Bearer error="invalid_token"' : 'Bearer';
    case 'basic':
      return 'Basic realm="mock", charset="UTF-8"';
    case 'api-key':
      return `ApiKey in="${scheme.in}", name="${scheme.parameter.replaceAll(/[^ !#-[\]-~]/gu, '')}"`;
    case 'unjudged':
      return undefined;
  }
}

/**
 * Checks the credentials that are let in.
 *
 * @throws ClocheError OPTION_INVALID for one that no header can carry; it does not name the token, which is a secret
 */
export function toTokens(tokens: readonly string[] = []): ReadonlySet<string> {
  const position = tokens.findIndex((token) => token === '' || /^[ \t]|[ \t]$|[\r\n\0]/u.test(token));
  if (position !== -1) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use as a token',
      subject: `tokens[${position}]`,
      reason: 'no header can carry an empty token, or one with white space at its ends or a line break in it',
      remedy: 'Pass the token alone, without "Bearer"',
    });
  }
  return new Set(tokens.flatMap((token) => [token, token.replace(/^Bearer[ \t]+/iu, '')]));
}
