import type { SecurityAlternative, SecurityScheme } from '../../contract/contract.ts';
import { decodeBasic } from '../../http/bytes.ts';
import { parseCookies } from '../../contract/read-parameters.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { fingerprint } from '../../json/fingerprint.ts';
import type { RequestHead } from '../message.ts';
import type { Owner } from '../store/owned-store.ts';
import type { IssuedTokens } from './issued-tokens.ts';

/** The reason that credentials are rejected. */
export interface CredentialsProblem {
  readonly condition: 'missing-credentials' | 'invalid-credentials' | 'insufficient-scope';
  /** Explains the problem and its fix. It repeats nothing that may be a misplaced secret. */
  readonly message: string;
  /** The value of WWW-Authenticate, for a 401 and for a missing scope. */
  readonly challenge: string;
}

/** Checks the credentials of a request; returns undefined if they are accepted. */
export type Authenticator = (head: RequestHead) => CredentialsProblem | undefined;

/** The accepted credentials. */
interface Accepted {
  /** Bearer tokens, keys, and `user:password`; `any` accepts any value that is not empty. */
  readonly tokens: ReadonlySet<string> | 'any';
  /** Further accepted ones, whose expiry and scopes are enforced. */
  readonly issued?: IssuedTokens | undefined;
}

/**
 * Creates the check of credentials: a request must satisfy one alternative, and for it all of its schemes (OpenAPI 3.1
 * §4.8.30). Returns undefined if no credentials are required.
 *
 * @param tokens - bearer tokens, keys, and `user:password`; `any` accepts any value that is not empty
 * @param issued - the tokens that the mock issued
 */
export function createAuthenticator(
  security: readonly SecurityAlternative[],
  tokens: ReadonlySet<string> | 'any',
  issued?: IssuedTokens,
): Authenticator | undefined {
  if (security.length === 0 || security.some((alternative) => alternative.length === 0)) return undefined;
  const accepted: Accepted = { tokens, issued };
  const alternatives = security.map((schemes) => schemes.map((scheme) => readScheme(scheme, accepted)));
  const schemes = security.flat();
  const ways = alternatives.map((all) => all.map(({ words }) => words).join(' and '));
  const wanted = [...new Set(ways)].join(', or ');
  const challengeFor = (isInvalid: boolean): string => {
    const challenges = alternatives.flat().flatMap(({ challenge }) => challenge(isInvalid) ?? []);
    return [...new Set(challenges)].join(', ');
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
  const expired: CredentialsProblem = {
    ...invalid,
    message: 'The token has expired or was revoked: get a new one.',
  };
  const fieldSchemes = schemes
    .map(({ kind }) => kind)
    .filter((kind) => kind === 'bearer' || kind === 'basic');

  function explainMissing(head: RequestHead): CredentialsProblem {
    const field = head.header('authorization');
    // If the field has a known scheme, another scheme of the alternative is missing.
    const isMeant = fieldSchemes.some((scheme) => field?.toLowerCase().startsWith(`${scheme} `) === true);
    return field === undefined || isMeant || fieldSchemes.length === 0
      ? missing
      : { ...missing, message: `${describeAuthorization(field)}: send ${wanted}.` };
  }

  return (head) => {
    // If several alternatives fail, invalid credentials are reported rather than missing ones.
    let isInvalid = false;
    let isExpired = false;
    let unscoped: readonly string[] | undefined;
    let lacking: readonly string[] | undefined;
    for (const alternative of alternatives) {
      const states = alternative.map(({ check }) => check(head));
      if (states.every((state) => state === 'good')) return undefined;
      isInvalid ||= states.includes('invalid');
      isExpired ||= states.includes('expired');
      if (states.every((state) => state === 'good' || state === 'unscoped'))
        unscoped ??= alternative.flatMap(({ scopes }) => scopes);
      if (states.includes('good'))
        lacking ??= alternative.flatMap(({ words }, index) => (states[index] === 'good' ? [] : [words]));
    }
    if (unscoped !== undefined) return lackScopes(unscoped);
    if (isExpired) return expired;
    if (isInvalid) return invalid;
    return lacking === undefined
      ? explainMissing(head)
      : { ...missing, message: `Credentials are missing: send ${lacking.join(' and ')} as well.` };
  };
}

/** Reports a token without a required scope (RFC 6750 §3.1). */
function lackScopes(required: readonly string[]): CredentialsProblem {
  const scope = required.filter((each) => /^[!#-[\]-~]+$/u.test(each)).join(' ');
  return {
    condition: 'insufficient-scope',
    message: `The token lacks a scope: the operation requires ${required.join(' and ')}.`,
    challenge: `Bearer error="insufficient_scope", scope="${scope}"`,
  };
}

/** `expired` and `unscoped` are only of tokens that the mock issued. */
type CredentialState = 'good' | 'missing' | 'invalid' | 'expired' | 'unscoped';

/** The name of a scheme, white space, and its credentials (RFC 9110 §11.4). */
const authorization = /^([^ \t]+)[ \t]+(.*)$/su;

/** Returns the credentials of a scheme; scheme names are compared ignoring case (RFC 9110 §11.1). */
function credentialsOf(head: RequestHead, scheme: string): string | undefined {
  const field = head.header('authorization');
  if (field === undefined) return undefined;
  // The common form is parsed without a regular expression.
  const isPlain = field.charCodeAt(scheme.length) === 0x20 && field.charCodeAt(scheme.length + 1) > 0x20;
  const match = isPlain ? undefined : authorization.exec(field);
  const name = isPlain ? field.slice(0, scheme.length) : (match?.[1] ?? field);
  const rest = isPlain ? field.slice(scheme.length + 1) : (match?.[2] ?? '');
  return name.toLowerCase() === scheme ? rest : undefined;
}

/** Characters of no bearer token (RFC 6750 §2.1); several fields with the same name arrive joined with a comma. */
const noSingleToken = /[\s,]/u;

/** Classifies the values sent for a scheme: no value is missing credentials, more than one value is invalid. */
function judge(
  sent: readonly (string | undefined)[],
  { tokens, issued, scopes }: Accepted & { readonly scopes?: readonly string[] },
  isWellFormed: (text: string) => boolean = () => true,
): CredentialState {
  const [text, ...others] = sent.filter((value) => value !== undefined && value !== '');
  if (text === undefined) return 'missing';
  const facts = others.length === 0 ? issued?.find(text) : undefined;
  if (facts !== undefined) {
    if (issued?.hasExpired(facts) === true) return 'expired';
    const { scopes: carried } = facts;
    return carried && scopes?.some((scope) => !carried.includes(scope)) === true ? 'unscoped' : 'good';
  }
  const isGood = others.length === 0 && isWellFormed(text) && (tokens === 'any' || tokens.has(text));
  return isGood ? 'good' : 'invalid';
}

/** The handling of a security scheme (OpenAPI 3.1 §4.8.27). */
interface ReadScheme {
  readonly check: (head: RequestHead) => CredentialState;
  /** The credentials to send, as the end of a sentence. */
  readonly words: string;
  /** The WWW-Authenticate challenge (RFC 9110 §11.6.1, RFC 6750 §3, RFC 7617 §2); API keys have none. */
  readonly challenge: (isInvalid: boolean) => string | undefined;
  /** The scopes that an issued token must carry. */
  readonly scopes: readonly string[];
}

function readScheme(scheme: SecurityScheme, accepted: Accepted): ReadScheme {
  const scopes = scheme.kind === 'bearer' ? (scheme.scopes ?? []) : [];
  const scoped = { ...accepted, scopes };
  switch (scheme.kind) {
    case 'bearer':
      return {
        scopes,
        check: (head) =>
          judge(
            [credentialsOf(head, 'bearer')],
            scoped,
            (token) => accepted.tokens !== 'any' || !noSingleToken.test(token),
          ),
        words: 'the header Authorization with "Bearer" and a token',
        challenge: (isInvalid) => (isInvalid ? 'Bearer error="invalid_token"' : 'Bearer'),
      };
    case 'basic':
      return {
        scopes,
        check(head) {
          const sent = credentialsOf(head, 'basic');
          // Text that is not Base64 contains no user and password.
          const pair = sent === undefined || sent === '' ? sent : (decodeBasic(sent) ?? ':');
          return judge([pair], accepted, (text) => /^[^:]+:.+$/su.test(text));
        },
        words: 'the header Authorization with "Basic" and a user and password in Base64',
        challenge: () => 'Basic realm="mock", charset="UTF-8"',
      };
    case 'api-key': {
      const { in: place, parameter } = scheme;
      const kind = place === 'query' ? 'query parameter' : place;
      return {
        scopes,
        check: (head) => judge(readKeys(head, scheme), accepted),
        words: `the key in the ${kind} "${parameter}"`,
        challenge: () => `ApiKey in="${place}", name="${parameter.replaceAll(/[^ !#-[\]-~]/gu, '')}"`,
      };
    }
    case 'unjudged':
      return {
        scopes,
        check: () => 'good',
        words: `the credentials of "${scheme.name}"`,
        challenge: () => undefined,
      };
  }
}

/** Returns the API keys that a request sends at the place of a scheme. */
function readKeys(
  head: RequestHead,
  { in: place, parameter }: Extract<SecurityScheme, { kind: 'api-key' }>,
): readonly (string | undefined)[] {
  if (place === 'header') {
    const field = parameter.toLowerCase();
    // OpenAPI 2.0 documents declare bearer tokens this way, so the scheme name may precede the token.
    const bearer = field === 'authorization' ? credentialsOf(head, 'bearer') : undefined;
    return [bearer ?? head.header(field)];
  }
  const isQuery = place === 'query';
  return (isQuery ? parseQuery(head.target) : parseCookies(head.header('cookie')))
    .filter(([name]) => name === parameter)
    .map(([, value]) => (isQuery ? decodeQueryText(value) : value));
}

/** The length of the fingerprint of a credential: long enough for some users, too short to reveal the credential. */
const userLength = 8;

/**
 * Returns the user of a request by the credentials that it sends for some schemes. All tokens that the mock issued to
 * one user are of this user.
 */
export function readUser(
  head: RequestHead,
  schemes: readonly SecurityScheme[],
  issued?: IssuedTokens,
): Owner {
  return schemes.flatMap((scheme) => {
    if (scheme.kind === 'unjudged') return [];
    const [sent = ''] =
      scheme.kind === 'api-key' ? readKeys(head, scheme) : [credentialsOf(head, scheme.kind)];
    return sent === ''
      ? []
      : [[scheme.name, fingerprint(issued?.find(sent)?.subject ?? sent).slice(0, userLength)] as const];
  });
}

const knownSchemes: ReadonlyMap<string, string> = new Map(
  ['ApiKey', 'Basic', 'Bearer', 'Digest', 'Token'].map((name) => [name.toLowerCase(), name]),
);

/**
 * Describes an Authorization field without secrets: it names only well-known schemes, and repeats no other text of the
 * client, which may be a misplaced secret.
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

/**
 * Validates the accepted tokens.
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
