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
  const alternatives = security.map((schemes) => schemes.map((scheme) => readScheme(scheme, tokens)));
  const schemes = security.flat();
  const wanted = alternatives.map((all) => all.map(({ words }) => words).join(' and ')).join(', or ');
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
    let lacking: readonly string[] | undefined;
    for (const alternative of alternatives) {
      const states = alternative.map(({ check }) => check(head));
      if (states.every((state) => state === 'good')) return undefined;
      isInvalid ||= states.includes('invalid');
      if (states.includes('good'))
        lacking ??= alternative.flatMap(({ words }, index) => (states[index] === 'good' ? [] : [words]));
    }
    if (isInvalid) return invalid;
    return lacking === undefined
      ? explainMissing(head)
      : { ...missing, message: `Credentials are missing: send ${lacking.join(' and ')} as well.` };
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

/** Judges what a request sends for a scheme: nothing is missing, and more than one value is invalid. */
function judge(
  sent: readonly (string | undefined)[],
  tokens: ReadonlySet<string> | 'any',
  isWellFormed: (text: string) => boolean = () => true,
): CredentialState {
  const [text, ...others] = sent.filter((value) => value !== undefined && value !== '');
  if (text === undefined) return 'missing';
  const isGood = others.length === 0 && isWellFormed(text) && (tokens === 'any' || tokens.has(text));
  return isGood ? 'good' : 'invalid';
}

/** What is to be known of a security scheme (OpenAPI 3.1 §4.8.27). */
interface ReadScheme {
  readonly check: (head: RequestHead) => CredentialState;
  /** What to send, as the end of a sentence. */
  readonly words: string;
  /** The WWW-Authenticate challenge (RFC 9110 §11.6.1, RFC 6750 §3, RFC 7617 §2); API keys have none. */
  readonly challenge: (isInvalid: boolean) => string | undefined;
}

function readScheme(scheme: SecurityScheme, tokens: ReadonlySet<string> | 'any'): ReadScheme {
  switch (scheme.kind) {
    case 'bearer':
      return {
        check: (head) =>
          judge(
            [credentialsOf(head, 'bearer')],
            tokens,
            (token) => tokens !== 'any' || !noSingleToken.test(token),
          ),
        words: 'the header Authorization with "Bearer" and a token',
        challenge: (isInvalid) => (isInvalid ? 'Bearer error="invalid_token"' : 'Bearer'),
      };
    case 'basic':
      return {
        check(head) {
          const sent = credentialsOf(head, 'basic');
          // What is no Base64 is no user and password.
          const pair = sent === undefined || sent === '' ? sent : (decodeBasic(sent) ?? ':');
          return judge([pair], tokens, (text) => /^[^:]+:.+$/su.test(text));
        },
        words: 'the header Authorization with "Basic" and a user and password in Base64',
        challenge: () => 'Basic realm="mock", charset="UTF-8"',
      };
    case 'api-key': {
      const { in: place, parameter } = scheme;
      const kind = place === 'query' ? 'query parameter' : place;
      return {
        check: (head) => judge(readKeys(head, scheme), tokens),
        words: `the key in the ${kind} "${parameter}"`,
        challenge: () => `ApiKey in="${place}", name="${parameter.replaceAll(/[^ !#-[\]-~]/gu, '')}"`,
      };
    }
    case 'unjudged':
      return {
        check: () => 'good',
        words: `the credentials of "${scheme.name}"`,
        challenge: () => undefined,
      };
  }
}

/** The keys that a request sends where a scheme wants one. */
function readKeys(
  head: RequestHead,
  { in: place, parameter }: Extract<SecurityScheme, { kind: 'api-key' }>,
): readonly (string | undefined)[] {
  if (place === 'header') {
    const field = parameter.toLowerCase();
    // Documents of version 2.0 declare a bearer token this way, so that its scheme may precede it.
    const bearer = field === 'authorization' ? credentialsOf(head, 'bearer') : undefined;
    return [bearer ?? head.header(field)];
  }
  const isQuery = place === 'query';
  return (isQuery ? parseQuery(head.target) : parseCookies(head.header('cookie')))
    .filter(([name]) => name === parameter)
    .map(([, value]) => (isQuery ? decodeQueryText(value) : value));
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
