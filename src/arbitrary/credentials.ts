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

/** Credentials for probing a security requirement. */
export interface CredentialProbes {
  /** Missing or invalid credentials. */
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

/** Returns the scheme whose credentials are sent in Authorization, if any. */
function authorizationScheme(alternative: SecurityAlternative): SecurityScheme | undefined {
  return alternative.find(({ kind }) => kind === 'bearer' || kind === 'basic');
}

/**
 * Lists the fixed set of credentials for probing one alternative. No probe satisfies another alternative of `security`.
 */
export function credentialCases(
  alternative: SecurityAlternative,
  security: readonly SecurityAlternative[] = [alternative],
): CredentialProbes {
  const scheme = authorizationScheme(alternative) ?? alternative[0];
  if (scheme === undefined || scheme.kind === 'unjudged') return { refused: [], spelled: [] };
  const none: CredentialCase = { kind: 'none' };
  if (scheme.kind === 'api-key') {
    // The good token as a bearer token may satisfy another alternative.
    const isMet = security.some((each) => authorizationScheme(each) ?? each.some(isAuthorizationKey));
    const elsewhere: readonly CredentialCase[] = isMet ? [] : [{ kind: 'other-scheme', scheme: 'Bearer' }];
    return { refused: [none, ...literals(['']), ...wrong, ...elsewhere], spelled: [] };
  }
  const [name, other] = scheme.kind === 'bearer' ? ['Bearer', 'Basic'] : ['Basic', 'Bearer'];
  const otherValue = scheme.kind === 'bearer' ? 'Basic dXNlcjpwYXNz' : 'Bearer token';
  // An API key in Authorization may be the good token alone, or with any scheme.
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

/** Returns the name of an alternative: the names of its schemes. */
export function nameAlternative(schemes: SecurityAlternative): string {
  return schemes.map(({ name }) => name).join(' ');
}

/** Lists the alternatives of an operation that require credentials and whose schemes Cloche all supports. */
export function listAlternatives({ security }: Operation): readonly SecurityAlternative[] {
  return security.filter((schemes) => schemes.length > 0 && schemes.every(isMet));
}

/**
 * Returns the first alternative that requires credentials and whose schemes Cloche all supports, else one with some
 * supported schemes, if any.
 *
 * @param rejected - the names of alternatives whose token the service rejects
 * @param of.name - the alternative to return, if the operation has it
 * @param of.own - the schemes of which the alternative must have one; better all
 */
export function pickAlternative(
  operation: Operation,
  rejected: ReadonlySet<string> = new Set(),
  { name, own }: { readonly name?: string | undefined; readonly own?: ReadonlySet<string> | undefined } = {},
): SecurityAlternative | undefined {
  const all = listAlternatives(operation);
  if (own !== undefined) {
    const isOwn = (scheme: SecurityScheme): boolean => own.has(scheme.name);
    return all.find((schemes) => schemes.every(isOwn)) ?? all.find((schemes) => schemes.some(isOwn));
  }
  const named = all.find((schemes) => nameAlternative(schemes) === name);
  if (named !== undefined) return named;
  const accepted = all.find((schemes) => !rejected.has(nameAlternative(schemes)));
  return accepted ?? all[0] ?? operation.security.find((schemes) => schemes.some(isMet));
}

/** Credentials in their places in a request. */
interface RenderedCredentials {
  readonly headers: HeaderList;
  /** Pairs for the query, percent-encoded: `key=abc`. */
  readonly query: readonly string[];
}

const nowhere: RenderedCredentials = { headers: [], query: [] };

/** Matches the letters of Base64 whose first bit is one. */
const upperHalf = /[g-z0-9+/_-]$/u;

/**
 * Alters a token in a way that every reader notices. In Base64 its last bits and the padding may have no meaning (RFC
 * 4648 §3.5), and in hexadecimal the case of a letter has none.
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

/** The rest of a shorter token occurs in too many other places to be hidden. */
const shortestToken = 6;

/** Returns the parts of a token that its alterations reveal, with descriptions: `without its last character`. */
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

/** Puts a token with a prefix in the place that its scheme specifies. */
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

/** Encodes basic credentials in Base64 of their UTF-8 (RFC 7617 §2). */
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
      // An API key has no scheme name to change or leave out.
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

/** The good credentials of most requests. */
const knownGood = new WeakMap<GivenCredentials, Map<SecurityAlternative, RenderedCredentials>>();

/** Puts credentials in the places of all schemes of an alternative, with the same token (OpenAPI 3.1 §4.8.27). */
export function renderCredentials(
  alternative: SecurityAlternative,
  credentials: CredentialCase,
  given: GivenCredentials,
): RenderedCredentials {
  if (credentials.kind !== 'good') return renderAll(alternative, credentials, given);
  const known = knownGood.get(given) ?? new Map<SecurityAlternative, RenderedCredentials>();
  const good = known.get(alternative) ?? renderAll(alternative, credentials, given);
  knownGood.set(given, known.set(alternative, good));
  return good;
}

function renderAll(
  alternative: SecurityAlternative,
  credentials: CredentialCase,
  given: GivenCredentials,
): RenderedCredentials {
  // Credentials of another scheme replace those of one: a request has one Authorization field (RFC 9110 §5.3).
  const replaced = authorizationScheme(alternative) ?? alternative[0];
  const isReplaced = credentials.kind === 'other-scheme' && replaced !== undefined;
  const schemes = isReplaced ? [replaced] : alternative;
  const rendered = schemes.map((scheme) =>
    scheme.kind === 'unjudged' ? nowhere : renderScheme(scheme, credentials, given),
  );
  const headers = rendered.flatMap((each) => each.headers);
  // The user gave these fields for every request, but a probe of credentials does not send them.
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

/** Returns whether two fields have the same name; for cookies, whether they contain the same cookie. */
function isSameField(left: HeaderList[number], right: HeaderList[number]): boolean {
  const nameOf = ([name, value]: HeaderList[number]): string =>
    `${name}${/^cookie$/iu.test(name) ? ` ${value.split('=', 1)[0]}` : ''}`.toLowerCase();
  return nameOf(left) === nameOf(right);
}
