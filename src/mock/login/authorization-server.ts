import { originOf, type MaybePromise, type MockResponse } from '../message.ts';
import type { ValidRequest } from '../handlers/stored-form.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import { createAuthorization } from './authorization.ts';
import { createConsent } from './consent.ts';
import { createDeviceLogins, type DeviceLogins } from './device.ts';
import { createGrants, type Grants, grantTypes } from './grants.ts';
import { answerJson, issuerOf, type LoginRequest, openIdScopes, refuseLogin } from './login-answer.ts';
import type { EndpointKind } from './login-routes.ts';
import { algorithm, claimsOf, createTokenMaker, type TokenMaker } from './tokens.ts';

/** An authorization server: the endpoints of OAuth 2 and OpenID Connect that a document names. */
export interface AuthorizationServer {
  readonly answer: (
    request: Pick<ValidRequest, 'head' | 'bytes'>,
    of: Pick<LoginRequest, 'issuer' | 'model' | 'accounts'> & { readonly kind: EndpointKind },
  ) => MaybePromise<MockResponse>;
}

type Metadata = Readonly<Record<string, unknown>>;

/** Returns the metadata of the server (OpenID Connect Discovery 1.0 §3, RFC 8414 §2). */
function describeServer(request: LoginRequest): Metadata {
  const { origin, issuer, model } = request;
  const urlOf = (kind: EndpointKind): string => `${origin}${issuer.endpoints[kind]}`;
  const methods = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer: issuerOf(request),
    authorization_endpoint: urlOf('authorization'),
    token_endpoint: urlOf('token'),
    userinfo_endpoint: urlOf('userinfo'),
    jwks_uri: urlOf('jwks'),
    revocation_endpoint: urlOf('revocation'),
    device_authorization_endpoint: urlOf('device'),
    scopes_supported: [...new Set([...openIdScopes, ...model.scopes.keys()])],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: grantTypes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    token_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256', 'plain'],
    claims_supported: ['sub', 'name', 'preferred_username', 'email', 'email_verified'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Answers with the claims about the user of an access token (OpenID Connect Core 1.0 §5.3). */
function answerUserinfo({ head }: LoginRequest, issued: IssuedTokens): MockResponse {
  const [, token] = /^bearer +(.+)$/iu.exec(head.header('authorization') ?? '') ?? [];
  const facts = token === undefined ? undefined : issued.find(token);
  const { scopes = [], subject } = facts ?? {};
  if (facts === undefined || subject === undefined || issued.hasExpired(facts)) {
    const message = 'Send an access token of this mock that has not expired.';
    const challenge = token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
    return refuseLogin(
      { error: 'invalid_token', message },
      { status: 401, headers: ['WWW-Authenticate', challenge] },
    );
  }
  if (!scopes.includes('openid')) {
    const challenge = 'Bearer error="insufficient_scope", scope="openid"';
    const message = 'The access token lacks the scope openid.';
    return refuseLogin(
      { error: 'insufficient_scope', message },
      { status: 403, headers: ['WWW-Authenticate', challenge] },
    );
  }
  return answerJson(claimsOf(subject, scopes), 'Answered with the claims about a user');
}

interface Parts {
  readonly issued: IssuedTokens;
  readonly tokens: TokenMaker;
  readonly grants: Grants;
  readonly devices: DeviceLogins;
  readonly authorize: (request: LoginRequest) => MockResponse;
}

const endpoints: Readonly<
  Record<EndpointKind, (request: LoginRequest, parts: Parts) => MaybePromise<MockResponse>>
> = {
  authorization: (request, { authorize }) => authorize(request),
  token: (request, { grants }) => grants.answer(request),
  revocation: (request, { grants }) => grants.revoke(request),
  device: (request, { devices }) => devices.start(request),
  verification: (request, { devices }) => devices.verify(request),
  userinfo: (request, { issued }) => answerUserinfo(request, issued),
  discovery: (request) => answerJson(describeServer(request), 'Discovery document'),
  jwks: async (_, { tokens }) => answerJson(await tokens.keySet(), 'JWK Set'),
};

/** Reads the parameters of a request: those of a form, or else of the query. */
function readParameters({ head, bytes }: Pick<ValidRequest, 'head' | 'bytes'>) {
  const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/iu.test(head.header('content-type') ?? '');
  const query = head.target.includes('?') ? head.target.slice(head.target.indexOf('?') + 1) : '';
  return { parameters: new URLSearchParams(isForm ? new TextDecoder().decode(bytes) : query), isForm };
}

/**
 * Creates the authorization server of a mock. Its codes, tokens and logins are in memory and stay until they expire by
 * the clock of the mock; a reset of the state keeps them, as tests reuse a login.
 */
export function createAuthorizationServer(issued: IssuedTokens): AuthorizationServer {
  const tokens = createTokenMaker(issued);
  const consent = createConsent();
  const devices = createDeviceLogins(issued, consent);
  const grants = createGrants({ issued, tokens, devices });
  const authorize = createAuthorization({ issued, grants, consent });
  return {
    answer(request, { kind, ...of }) {
      const { head } = request;
      const whole = { head, origin: originOf(head), ...readParameters(request), ...of };
      return endpoints[kind](whole, { issued, tokens, grants, devices, authorize });
    },
  };
}
