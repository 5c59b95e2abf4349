import type { MaybePromise, MockResponse } from '../message.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import { type Client, readClient, refuseClient } from './clients.ts';
import { type DeviceLogins } from './device.ts';
import {
  answerJson,
  denied,
  invalid,
  isProblem,
  issuerOf,
  type LoginProblem,
  type LoginRequest,
  readScopes,
  refuseLogin,
  valueOf,
} from './login-answer.ts';
import {
  createSecret,
  type Grant,
  hash,
  keep,
  toBase64Url,
  tokenLifetime,
  type TokenMaker,
} from './tokens.ts';

/** The code of an authorization, until a client exchanges it. */
export interface AuthorizedCode {
  readonly grant: Grant;
  readonly redirectUri: string;
  /** The challenge of PKCE (RFC 7636 §4.3); undefined if the client sent none. */
  readonly challenge: { readonly method: 'S256' | 'plain'; readonly value: string } | undefined;
}

interface KeptCode extends AuthorizedCode {
  readonly expiresAt: number;
  /** The tokens that a client got for it; undefined until then. */
  tokens: readonly string[] | undefined;
}

interface RefreshToken {
  readonly grant: Grant;
  readonly expiresAt: number;
}

/** The tokens to issue. */
interface Granted {
  readonly grant: Grant;
  /** The grant of the refresh token beside the access token; undefined for none. */
  readonly refresh: Grant | undefined;
  /** Receives the tokens when they are issued. */
  readonly take?: (tokens: readonly string[]) => void;
}

/** What the server remembers. */
interface GrantState {
  readonly issued: IssuedTokens;
  readonly codes: Map<string, KeptCode>;
  readonly refreshTokens: Map<string, RefreshToken>;
  readonly devices: Pick<DeviceLogins, 'exchange'>;
}

type GrantType = (
  request: LoginRequest,
  client: Client,
  state: GrantState,
) => MaybePromise<Granted | LoginProblem>;

/** The time for which a code is valid, in milliseconds (RFC 6749 §4.1.2 recommends at most ten minutes). */
const codeLifetime = 600_000;
/** The time for which a refresh token is valid, in milliseconds. */
const refreshLifetime = 30 * 86_400_000;
/** The grants of an authorization server. */
export interface Grants {
  /** Creates a code, which a client can exchange once. */
  createCode(authorized: AuthorizedCode): string;
  /** Answers a request to the token endpoint (RFC 6749 §3.2). */
  answer(request: LoginRequest): Promise<MockResponse>;
  /** Answers a request to revoke a token (RFC 7009 §2). */
  revoke(request: LoginRequest): MockResponse;
}

/** Returns whether a code verifier fits the challenge of a code (RFC 7636 §4.6). */
async function verifies(verifier: string, { method, value }: NonNullable<AuthorizedCode['challenge']>) {
  return (method === 'plain' ? verifier : toBase64Url(await hash(verifier))) === value;
}

/** Creates the grant of a client or a user that logs in at the token endpoint. */
function grantTo(
  user: string | undefined,
  {
    request,
    client,
    issued,
  }: { readonly request: LoginRequest; readonly client: Client; readonly issued: IssuedTokens },
): Granted | LoginProblem {
  const scopes = readScopes(request);
  if (isProblem(scopes)) return scopes;
  const authTime = Math.floor(issued.now() / 1_000);
  const grant = { issuer: issuerOf(request), clientId: client.id, user, scopes, authTime };
  return { grant, refresh: user === undefined ? undefined : grant };
}

/** Exchanges a code for tokens (RFC 6749 §4.1.3). */
async function exchangeCode(
  { parameters }: LoginRequest,
  { id }: Client,
  { issued, codes, refreshTokens }: GrantState,
): Promise<Granted | LoginProblem> {
  const code = valueOf(parameters, 'code');
  if (code === undefined || id === undefined) return invalid('Send the code and the client_id.');
  const kept = codes.get(code);
  if (kept === undefined || kept.expiresAt <= issued.now())
    return denied('The code is unknown or has expired.');
  const { grant, redirectUri, challenge } = kept;
  const verifier = valueOf(parameters, 'code_verifier');
  const fits = verifier !== undefined && challenge && (await verifies(verifier, challenge));
  if (kept.tokens !== undefined) {
    // The code may be stolen (RFC 6749 §4.1.2).
    kept.tokens.forEach((token) => {
      issued.revoke(token);
      refreshTokens.delete(token);
    });
    return denied('The code was used before. The tokens that it gave are revoked.');
  }
  if (grant.clientId !== id) return denied('The code was issued to another client.');
  if (parameters.get('redirect_uri') !== redirectUri)
    return denied('The redirect_uri differs from that of the authorization request.');
  if (challenge === undefined && verifier !== undefined)
    return denied('There is a code_verifier, but the authorization request had no code_challenge.');
  if (challenge !== undefined && fits !== true)
    return denied('The code_verifier is missing, or does not fit the code_challenge.');
  kept.tokens = [];
  return { grant, refresh: grant, take: (all) => (kept.tokens = all) };
}

/** Exchanges a refresh token for new tokens (RFC 6749 §6). Each refresh token is valid once. */
function refresh(
  { parameters }: LoginRequest,
  { id }: Client,
  { issued, refreshTokens }: GrantState,
): Granted | LoginProblem {
  const token = valueOf(parameters, 'refresh_token');
  if (token === undefined) return invalid('Send the refresh_token.');
  const kept = refreshTokens.get(token);
  if (kept === undefined || kept.expiresAt <= issued.now())
    return denied('The refresh token is unknown, was used before or has expired.');
  const { nonce: _nonce, ...grant } = kept.grant;
  if (grant.clientId !== undefined && grant.clientId !== id)
    return denied('The refresh token was issued to another client.');
  const scopes = valueOf(parameters, 'scope')?.split(/ +/u) ?? grant.scopes;
  if (scopes.some((scope) => !grant.scopes.includes(scope)))
    return { error: 'invalid_scope', message: 'The refresh token does not carry all of these scopes.' };
  refreshTokens.delete(token);
  return { grant: { ...grant, scopes }, refresh: grant };
}

/** The grant types by name. */
const types: Readonly<Record<string, GrantType>> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,

  /** RFC 8628 §3.4 */
  'urn:ietf:params:oauth:grant-type:device_code'(request, client, { devices }) {
    const grant = devices.exchange(request, client);
    return isProblem(grant) ? grant : { grant, refresh: grant };
  },

  /** RFC 6749 §4.4 */
  client_credentials(request, client, { issued }) {
    return client.id === undefined || client.secret === undefined
      ? { error: 'invalid_client', message: 'Send a client_id and a client_secret.' }
      : grantTo(undefined, { request, client, issued });
  },

  /** RFC 6749 §4.3 */
  password(request, client, { issued }) {
    const user = valueOf(request.parameters, 'username');
    const password = valueOf(request.parameters, 'password');
    if (user === undefined || password === undefined) return invalid('Send a username and a password.');
    return request.accounts?.has(`${user}:${password}`) === false
      ? denied('The user and the password are not among the accepted tokens.')
      : grantTo(user, { request, client, issued });
  },
};

/** The names of the grant types. */
export const grantTypes: readonly string[] = Object.keys(types);

/** Reads the client and the grant type of a request to the token endpoint, and grants access. */
async function decideGrant(request: LoginRequest, state: GrantState): Promise<Granted | LoginProblem> {
  const client = readClient(request);
  if (isProblem(client)) return client;
  const name = valueOf(request.parameters, 'grant_type');
  if (name === undefined) return invalid(`Send a grant_type: ${grantTypes.join(', ')}.`);
  const type = grantTypes.includes(name) ? types[name] : undefined;
  if (type !== undefined) return type(request, client, state);
  return {
    error: 'unsupported_grant_type',
    message: `The grant types of the mock are ${grantTypes.join(', ')}.`,
  };
}

/** Creates the grants of an authorization server. */
export function createGrants({
  issued,
  tokens,
  devices,
}: Pick<GrantState, 'issued' | 'devices'> & { readonly tokens: TokenMaker }): Grants {
  const codes = new Map<string, KeptCode>();
  const refreshTokens = new Map<string, RefreshToken>();
  const state: GrantState = { issued, codes, refreshTokens, devices };

  async function issue({ grant, refresh: kept, take }: Granted): Promise<MockResponse> {
    const accessToken = await tokens.accessToken(grant);
    const refreshToken = kept && createSecret();
    if (kept !== undefined && refreshToken !== undefined)
      keep(refreshTokens, refreshToken, { grant: kept, expiresAt: issued.now() + refreshLifetime });
    take?.([accessToken, ...(refreshToken === undefined ? [] : [refreshToken])]);
    const { scopes, user, clientId } = grant;
    const isLogin = scopes.includes('openid') && user !== undefined && clientId !== undefined;
    const body = {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: tokenLifetime,
      scope: scopes.join(' '),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(isLogin && { id_token: await tokens.idToken(grant, accessToken) }),
    };
    return answerJson(body, 'Issued a token');
  }

  return {
    createCode(authorized) {
      const code = createSecret();
      keep(codes, code, { ...authorized, expiresAt: issued.now() + codeLifetime, tokens: undefined });
      return code;
    },
    async answer(request) {
      const result = await decideGrant(request, state);
      return isProblem(result) ? refuseClient(request, result) : issue(result);
    },
    revoke({ parameters }) {
      const token = valueOf(parameters, 'token');
      if (token === undefined) return refuseLogin(invalid('Send the token.'));
      issued.revoke(token);
      refreshTokens.delete(token);
      return answerJson({}, 'Revoked a token');
    },
  };
}
