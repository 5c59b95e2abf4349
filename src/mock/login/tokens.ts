import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { IssuedTokens } from '../request/issued-tokens.ts';

/** The subject of a token, and what it permits. */
export interface Grant {
  /** The identifier of the issuer, a URL. */
  readonly issuer: string;
  /** Undefined if a client did not name itself. */
  readonly clientId: string | undefined;
  /** The user; undefined if the client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly nonce?: string | undefined;
  /** The time of the login, in seconds since 1970. */
  readonly authTime: number;
}

/** The time for which an access token is valid, in seconds. */
export const tokenLifetime = 3_600;

/** The signature algorithm, which every client of OpenID Connect has to know (OpenID Connect Core 1.0 §15.1). */
export const algorithm = 'RS256';

/** Makes the signed tokens of a mock. */
export interface TokenMaker {
  /** Issues an access token in the profile of RFC 9068. */
  accessToken(grant: Grant): Promise<string>;
  /** Makes an ID token (OpenID Connect Core 1.0 §2). @param accessToken - the access token beside it */
  idToken(grant: Grant, accessToken: string): Promise<string>;
  /** Returns the public key as a JWK Set (RFC 7517 §5). */
  keySet(): Promise<{ readonly keys: readonly JWK[] }>;
}

/** Encodes bytes in base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/u, '');
}

/** Returns the SHA-256 hash of a text. */
export async function hash(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** Generates an unguessable value for a code, a refresh token or a session. */
export function createSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(24)));
}

/** The maximum number of remembered codes, of refresh tokens, and of logins of devices. */
const mostKept = 10_000;

/** Adds an entry to a map, instead of the oldest one if there are too many. */
export function keep<T>(map: Map<string, T>, name: string, value: T): void {
  map.set(name, value);
  const [oldest = ''] = map.size > mostKept ? map.keys() : [];
  map.delete(oldest);
}

/** Returns the claims about a user for the scopes (OpenID Connect Core 1.0 §5.4). */
export function claimsOf(user: string, scopes: readonly string[]): Readonly<Record<string, unknown>> {
  const email = user.includes('@') ? user : `${user.replaceAll(/[^\w.+-]+/gu, '.')}@example.com`;
  return {
    sub: user,
    ...(scopes.includes('profile') && { name: user, preferred_username: user }),
    ...(scopes.includes('email') && { email, email_verified: true }),
  };
}

async function makeKeys() {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: algorithm } };
}

/**
 * Creates the maker of tokens. Its key is generated when it is first needed, and lasts as long as the mock.
 *
 * @param issued - remembers the access tokens; it has the clock by which all tokens expire
 */
export function createTokenMaker(issued: IssuedTokens): TokenMaker {
  let made: ReturnType<typeof makeKeys> | undefined;
  const keys = () => (made ??= makeKeys());

  async function sign(type: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { privateKey, jwk } = await keys();
    const header = { alg: algorithm, typ: type, kid: jwk.kid };
    return new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey);
  }

  return {
    async accessToken({ issuer, clientId, user, scopes, authTime }) {
      const now = Math.floor(issued.now() / 1_000);
      const subject = user ?? clientId ?? 'anonymous';
      const token = await sign('at+jwt', {
        iss: issuer,
        sub: subject,
        aud: issuer,
        client_id: clientId ?? subject,
        iat: now,
        exp: now + tokenLifetime,
        jti: createSecret(),
        scope: scopes.join(' '),
        ...(user !== undefined && { auth_time: authTime }),
      });
      issued.add(token, { expiresAt: (now + tokenLifetime) * 1_000, scopes, subject, clientId });
      return token;
    },
    async idToken({ issuer, clientId, user = '', scopes, nonce, authTime }, accessToken) {
      const now = Math.floor(issued.now() / 1_000);
      const half = (await hash(accessToken)).subarray(0, 16);
      return sign('JWT', {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + tokenLifetime,
        auth_time: authTime,
        ...(nonce !== undefined && { nonce }),
        at_hash: toBase64Url(half),
        ...claimsOf(user, scopes),
      });
    },
    keySet: async () => ({ keys: [(await keys()).jwk] }),
  };
}
