import type { Operation, SecurityAlternative, SecurityScheme } from '../contract/contract.ts';
import type { HeaderList } from '../http/message.ts';
import {
  credentialFor,
  type GivenCredentials,
  type GoodCredential,
  isAuthorizationKey,
  type JudgedScheme,
  wrongTokenFor,
} from './given-credentials.ts';
import type { CredentialCase } from './request-case.ts';

/** What a requirement is probed with. */
export interface CredentialProbes {
  /** Credentials that are none, or not good. */
  readonly refused: readonly CredentialCase[];
  /** Good credentials in an unusual spelling. */
  readonly spelled: readonly CredentialCase[];
}

const wrong: readonly CredentialCase[] = [
  { kind: 'wrong-token' },
  { kind: 'altered-token', how: 'last-character' },
  { kind: 'altered-token', how: 'shortened' },
  { kind: 'altered-token', how: 'lengthened' },
  { kind: 'altered-token', how: 'other-case' },
];

function literals(values: readonly string[]): readonly CredentialCase[] {
  return values.map((value) => ({ kind: 'literal', value }));
}

/** The scheme whose credentials travel in Authorization, if there is one. */
function authorizationScheme(alternative: SecurityAlternative): SecurityScheme | undefined {
  return alternative.find(({ kind }) => kind === 'bearer' || kind === 'basic');
}

/**
 * Lists the fixed handful of credentials that one alternative is probed with. No probe meets another alternative of
 * `security`.
 */
export function credentialCases(
  alternative: SecurityAlternative,
  security: readonly SecurityAlternative[] = [alternative],
): CredentialProbes {
  const scheme = authorizationScheme(alternative) ?? alternative[0];
  if (scheme === undefined || scheme.kind === 'unjudged') return { refused: [], spelled: [] };
  const none: CredentialCase = { kind: 'none' };
  if (scheme.kind === 'api-key') {
    // The good token as a bearer token may be just what another alternative asks for.
    const isMet = security.some((each) => authorizationScheme(each) ?? each.some(isAuthorizationKey));
    const elsewhere: readonly CredentialCase[] = isMet ? [] : [{ kind: 'other-scheme', scheme: 'Bearer' }];
    return { refused: [none, ...literals(['']), ...wrong, ...elsewhere], spelled: [] };
  }
  const [name, other] = scheme.kind === 'bearer' ? ['Bearer', 'Basic'] : ['Basic', 'Bearer'];
  const otherValue = scheme.kind === 'bearer' ? 'Basic dXNlcjpwYXNz' : 'Bearer token';
  // An API key in Authorization may be the good token alone, or behind any scheme.
  const otherForms: readonly CredentialCase[] = security.flat().some(isAuthorizationKey)
    ? []
    : [
        { kind: 'bare' },
        { kind: 'other-scheme', scheme: 'Token' },
        { kind: 'other-scheme', scheme: other ?? 'Digest' },
      ];
  return {
    refused: [
      none,
      ...wrong.slice(0, 1),
      ...literals([otherValue, name, '', `${name} null`, `${name} undefined`]),
      ...otherForms,
      ...wrong.slice(1),
    ],
    spelled: [
      { kind: 'spelled', scheme: (name ?? '').toLowerCase(), space: ' ' },
      { kind: 'spelled', scheme: (name ?? '').toUpperCase(), space: ' ' },
      { kind: 'spelled', scheme: name ?? '', space: '  ' },
    ],
  };
}

const isMet = ({ kind }: SecurityScheme): boolean => kind !== 'unjudged';

/** Names an alternative by its schemes. */
export function nameAlternative(schemes: SecurityAlternative): string {
  return schemes.map(({ name }) => name).join(' ');
}

/** The alternatives of an operation that ask for credentials and whose schemes Cloche can all meet. */
export function listAlternatives({ security }: Operation): readonly SecurityAlternative[] {
  return security.filter((schemes) => schemes.length > 0 && schemes.every(isMet));
}

/**
 * The first alternative that asks for credentials and whose schemes Cloche can all meet, else some of them; if there is one.
 *
 * @param rejected - the names of alternatives for which the service rejects the token
 * @param name - the alternative to return, if the operation has it
 */
export function pickAlternative(
  operation: Operation,
  rejected: ReadonlySet<string> = new Set(),
  name?: string,
): SecurityAlternative | undefined {
  const all = listAlternatives(operation);
  const named = all.find((schemes) => nameAlternative(schemes) === name);
  if (named !== undefined) return named;
  const accepted = all.find((schemes) => !rejected.has(nameAlternative(schemes)));
  return accepted ?? all[0] ?? operation.security.find((schemes) => schemes.some(isMet));
}

/** Where credentials go in a request. */
interface RenderedCredentials {
  readonly headers: HeaderList;
  /** Pairs for the query, percent-encoded: `key=abc`. */
  readonly query: readonly string[];
}

const nowhere: RenderedCredentials = { headers: [], query: [] };

/** The letters of Base64 that begin with a one. */
const upperHalf = /[g-z0-9+/_-]$/u;

/**
 * Makes another token of a token, whoever reads it: its last bits, and the padding behind it, may mean nothing in
 * Base64 (RFC 4648 §3.5), and in hexadecimal the case of a letter means nothing.
 */
function alter(token: string, how: (CredentialCase & { readonly kind: 'altered-token' })['how']): string {
  const [, text = '', padding = ''] = /^(.*?)(=*)$/su.exec(token) ?? [];
  switch (how) {
    case 'last-character':
      return text.slice(0, -1) + (upperHalf.test(text) ? 'A' : 'g') + padding;
    case 'shortened':
      return text.slice(0, -1) + padding;
    case 'lengthened':
      return text + text.slice(-1) + padding;
    case 'other-case': {
      const other = text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
      const isSame = other === text || /^[\da-f-]*$/iu.test(text);
      return isSame ? alter(token, 'last-character') : other + padding;
    }
  }
}

/** What is left of a shorter token stands in too many other places to be hidden. */
const shortestToken = 6;

/** The parts of a token that its alterations show, with what each of them is: `without its last character`. */
export function listAlteredTokens(
  token: string,
): readonly { readonly value: string; readonly how: string }[] {
  if (token.length <= shortestToken) return [];
  return [
    { value: alter(token, 'shortened').replace(/=+$/u, ''), how: 'without its last character' },
    { value: alter(token, 'other-case'), how: 'in the other case' },
  ];
}

function authorization(value: string): RenderedCredentials {
  return { headers: [['Authorization', value]], query: [] };
}

/** Puts a token where a scheme expects it, behind a prefix. */
function placeToken(scheme: JudgedScheme, good: GoodCredential): RenderedCredentials {
  const token = `${good.prefix}${encodeToken(good)}`;
  if (scheme.kind !== 'api-key') return authorization(token);
  switch (scheme.in) {
    case 'header':
      return { headers: [[scheme.parameter, token]], query: [] };
    case 'cookie':
      return { headers: [['Cookie', `${scheme.parameter}=${token}`]], query: [] };
    case 'query':
      return { headers: [], query: [`${encodeURIComponent(scheme.parameter)}=${encodeURIComponent(token)}`] };
  }
}

/** Basic credentials travel in Base64 of their UTF-8 (RFC 7617 §2). */
function encodeToken({ token, isEncoded }: GoodCredential): string {
  return isEncoded ? btoa(String.fromCodePoint(...new TextEncoder().encode(token))) : token;
}

function renderScheme(
  scheme: JudgedScheme,
  credentials: CredentialCase,
  given: GivenCredentials,
): RenderedCredentials {
  const good = credentialFor(scheme, given);
  switch (credentials.kind) {
    case 'none':
      return nowhere;
    case 'literal':
      return placeToken(scheme, { prefix: '', token: credentials.value, isEncoded: false });
    case 'wrong-token': {
      const token = wrongTokenFor(good?.token);
      return placeToken(scheme, {
        prefix: '',
        isEncoded: false,
        ...(good ?? credentialFor(scheme, { token })),
        token,
      });
    }
    default:
  }
  if (good === undefined) return nowhere;
  const { token } = good;
  const spelled = (prefix: string): GoodCredential => ({ ...good, prefix });
  switch (credentials.kind) {
    case 'good':
      return placeToken(scheme, good);
    case 'spelled':
      // An API key has no scheme to spell or to leave out.
      return placeToken(
        scheme,
        scheme.kind === 'api-key' ? good : spelled(credentials.scheme + credentials.space),
      );
    case 'bare':
      return placeToken(scheme, scheme.kind === 'api-key' ? good : spelled(''));
    case 'other-scheme':
      return authorization(`${credentials.scheme} ${encodeToken(good)}`);
    case 'altered-token':
      return placeToken(scheme, { ...good, token: alter(token, credentials.how) });
  }
}

/** Puts credentials where each scheme of an alternative expects them (OpenAPI 3.1 §4.8.27); schemes together get the same token. */
export function renderCredentials(
  alternative: SecurityAlternative,
  credentials: CredentialCase,
  given: GivenCredentials,
): RenderedCredentials {
  // Another scheme's credentials stand for those of one: a request has one Authorization field (RFC 9110 §5.3).
  const replaced = authorizationScheme(alternative) ?? alternative[0];
  const isReplaced = credentials.kind === 'other-scheme' && replaced !== undefined;
  const schemes = isReplaced ? [replaced] : alternative;
  const rendered = schemes.map((scheme) =>
    scheme.kind === 'unjudged' ? nowhere : renderScheme(scheme, credentials, given),
  );
  const headers = rendered.flatMap((each) => each.headers);
  // The user gave them for every request; a probe of credentials does without them.
  const isGood = credentials.kind === 'good' || credentials.kind === 'spelled';
  const others = (isGood ? (given.fields ?? []) : []).filter(
    ([name, value]) => !headers.some((field) => isSameField(field, [name, value])),
  );
  const all = [...headers, ...others, ...(given.cookies ?? [])];
  return {
    // Two bearer schemes share the field and the token.
    headers: [...new Map(all.map((field) => [field.join(': '), field])).values()],
    query: [...new Set(rendered.flatMap(({ query }) => query))],
  };
}

/** Whether two fields have one name; for cookies, whether they hold one cookie. */
function isSameField(left: HeaderList[number], right: HeaderList[number]): boolean {
  const nameOf = ([name, value]: HeaderList[number]): string =>
    `${name}${/^cookie$/iu.test(name) ? ` ${value.split('=', 1)[0]}` : ''}`.toLowerCase();
  return nameOf(left) === nameOf(right);
}
