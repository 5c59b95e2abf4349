import type { Contract, SecurityScheme } from '../contract/contract.ts';
import { decodeBasic } from '../http/bytes.ts';
import { parseCookies } from '../contract/read-parameters.ts';
import type { HeaderList } from '../http/message.ts';

/** A security scheme that Cloche can send credentials for. */
export type JudgedScheme = Exclude<SecurityScheme, { readonly kind: 'unjudged' }>;

/** Credentials from the user. */
export interface GivenCredentials {
  /** For basic authentication `user:password`. An API key is sent unchanged, even `Bearer x`. */
  readonly token?: string | undefined;
  /** Credentials by the name of their scheme, which replace the token. @defaultValue none */
  readonly tokens?: ReadonlyMap<string, string>;
  /** Header fields declared as credentials. They replace the token in their schemes. @defaultValue none */
  readonly fields?: HeaderList;
  /** Cookies without credentials, sent with every request. @defaultValue none */
  readonly cookies?: HeaderList;
  /** The prefix of a token without a scheme in an API key in Authorization. @defaultValue nothing */
  readonly keyPrefix?: string;
  /** The schemes with credentials of a second user, one of which a request must use. @defaultValue any scheme */
  readonly own?: ReadonlySet<string>;
}

/** A credential that the service is assumed to accept. */
export interface GoodCredential {
  /** The prefix of the token in the Authorization field, including the space: `Bearer `. */
  readonly prefix: string;
  readonly token: string;
  /** Whether the token is sent in Base64 (RFC 7617 §2). */
  readonly isEncoded: boolean;
}

const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';

/** Returns whether a scheme is an API key in Authorization, the way documents of 2.0 declare bearer tokens. */
export function isAuthorizationKey(scheme: SecurityScheme): boolean {
  return scheme.kind === 'api-key' && fieldOf(scheme) === 'authorization';
}

/** Returns the header field that a scheme uses, in lower case; undefined for a query. */
function fieldOf(scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'unjudged') return undefined;
  if (scheme.kind !== 'api-key') return 'authorization';
  if (scheme.in === 'header') return scheme.parameter.toLowerCase();
  return scheme.in === 'cookie' ? 'cookie' : undefined;
}

/** Lists the schemes that operations use. */
export function listSchemes({ operations }: Pick<Contract, 'operations'>): readonly SecurityScheme[] {
  return [...new Set(operations.flatMap(({ security }) => security.flat()))];
}

function cookieName(text: string): string {
  return parseCookies(text)[0]?.[0] ?? '';
}

/** Separates the header fields that the document declares as credentials, including Cookie, from all others. */
export function splitCredentialHeaders(
  headers: HeaderList,
  contract: Pick<Contract, 'operations'>,
): { readonly credentials: HeaderList; readonly others: HeaderList } {
  const fields = new Set(listSchemes(contract).map(fieldOf));
  const isCredential = ([name]: readonly [string, string]): boolean => fields.has(name.toLowerCase());
  return {
    credentials: headers.filter(isCredential),
    others: headers.filter((field) => !isCredential(field)),
  };
}

/** Prepares the credentials of requests from a token and the header fields from {@link splitCredentialHeaders}. */
export function readGivenCredentials(
  contract: Pick<Contract, 'operations'>,
  token: string | undefined,
  headers: HeaderList = [],
): GivenCredentials {
  if (headers.length === 0) return { token };
  const names = new Set(
    listSchemes(contract).flatMap((scheme) => (fieldOf(scheme) === 'cookie' ? cookieOf(scheme) : [])),
  );
  const cookies = headers
    .filter(isCookie)
    .flatMap(([name, value]) => value.split(/; */u).map((pair) => [name, pair] as const));
  return {
    token,
    fields: [
      ...headers.filter((field) => !isCookie(field)),
      ...cookies.filter(([, pair]) => names.has(cookieName(pair))),
    ],
    cookies: cookies.filter(([, pair]) => !names.has(cookieName(pair))),
  };
}

function cookieOf(scheme: SecurityScheme): readonly string[] {
  return scheme.kind === 'api-key' ? [scheme.parameter] : [];
}

function givenField(scheme: JudgedScheme, fields: HeaderList): string | undefined {
  const name = fieldOf(scheme);
  const own = fields.filter(([field]) => field.toLowerCase() === name);
  if (name !== 'cookie') return own[0]?.[1];
  const [cookie] = cookieOf(scheme);
  return own.flatMap(([, pair]) => parseCookies(pair)).find(([key]) => key === cookie)?.[1];
}

/** Matches the name of an authentication scheme, white space, and one word (RFC 9110 §11.4). */
const schemeAndToken = /^([A-Za-z][\w-]*[ \t]+)(\S+)$/u;

/** Returns the credential given for a scheme, if any. */
export function credentialFor(
  scheme: JudgedScheme,
  { token, tokens, fields = [], keyPrefix = '' }: GivenCredentials,
): GoodCredential | undefined {
  const field = givenField(scheme, fields);
  const value = field ?? tokens?.get(scheme.name) ?? token;
  if (value === undefined) return undefined;
  const [, name = '', word = value] = schemeAndToken.exec(value) ?? [];
  const isBasic = /^basic\b/iu.test(name);
  const pair = isBasic && scheme.kind !== 'api-key' ? decodeBasic(word) : undefined;
  if (field !== undefined && fieldOf(scheme) === 'authorization') {
    return { prefix: name, token: pair ?? word, isEncoded: pair !== undefined };
  }
  switch (scheme.kind) {
    case 'bearer':
      return { prefix: 'Bearer ', token: /^bearer\b/iu.test(name) ? word : value, isEncoded: false };
    case 'basic':
      return { prefix: 'Basic ', token: pair ?? value, isEncoded: true };
    case 'api-key':
      if (!isAuthorizationKey(scheme)) return { prefix: '', token: value, isEncoded: false };
      return { prefix: name === '' ? keyPrefix : name, token: word, isEncoded: false };
  }
}

/** Returns the credentials of another user: their tokens by scheme, and the given credentials for all other schemes. */
export function replaceTokens(
  given: GivenCredentials,
  tokens: ReadonlyMap<string, string>,
  contract: Pick<Contract, 'operations'>,
): GivenCredentials {
  const replaced = listSchemes(contract).filter(({ name }) => tokens.has(name));
  const fields = new Set(replaced.map(fieldOf));
  return {
    ...given,
    own: new Set(tokens.keys()),
    tokens: new Map([...(given.tokens ?? []), ...tokens]),
    fields: (given.fields ?? []).filter(([name]) => !fields.has(name.toLowerCase())),
  };
}

/** Lists the valid values of any scheme: tokens of bearer schemes, whole API keys, `user:password`. */
export function listGoodTokens(
  contract: Pick<Contract, 'operations'>,
  given: GivenCredentials,
): readonly string[] {
  const values = listSchemes(contract).flatMap((scheme) => {
    const good = scheme.kind === 'unjudged' ? undefined : credentialFor(scheme, given);
    if (good === undefined) return [];
    return [scheme.kind === 'api-key' ? `${good.prefix}${good.token}` : good.token];
  });
  return [
    ...new Set([
      ...(given.token === undefined ? [] : [given.token]),
      ...(given.tokens?.values() ?? []),
      ...values,
    ]),
  ];
}

/** Returns a token that contains no part of a good one. Basic authentication requires a colon (RFC 7617 §2). */
export function wrongTokenFor(token: string | undefined): string {
  const wrong = token?.includes(':') === true ? ['not:a-token', 'no:token'] : ['not-a-token', 'no-token'];
  return wrong.find((each) => each !== token) ?? '';
}
