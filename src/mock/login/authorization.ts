import { parseCookies } from '../../contract/read-parameters.ts';
import type { MockResponse } from '../message.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import { renderConsent, renderLoginProblem } from './consent-page.ts';
import { type AuthorizedCode, type Grants, keep } from './grants.ts';
import {
  answerPage,
  isProblem,
  issuerOf,
  type LoginProblem,
  type LoginRequest,
  readScopes,
  valueOf,
} from './login-answer.ts';
import { createSecret, type Grant, tokenLifetime, type TokenMaker } from './tokens.ts';

/** The response types (RFC 6749 §3.1.1, OpenID Connect Core 1.0 §3). */
export const responseTypes: readonly string[] = ['code', 'token', 'id_token', 'id_token token'];

/** The cookie by which the mock recognizes a user who has logged in. */
const sessionCookie = 'cloche_login';
/** The default user of the consent page. */
const usualUser = 'user';
/** The fields of the consent page. */
const pageFields: ReadonlySet<string> = new Set(['user', 'password', 'granted_scope', 'decision']);

/** An authorization request with a client and an address for the response. */
interface Asked extends Pick<AuthorizedCode, 'redirectUri'> {
  readonly request: LoginRequest;
  readonly clientId: string;
  readonly responseType: string;
}

/** An authorization request without errors. */
interface Valid extends Asked, Pick<AuthorizedCode, 'challenge'> {
  readonly scopes: readonly string[];
}

/** Schemes that a browser runs or shows itself; a response must not go there. */
const unsafeScheme = /^(?:about|blob|data|file|filesystem|javascript|vbscript|view-source):/iu;

/** Returns the reason that no response may go to an address. */
function findRedirectProblem(uri: string | undefined): string | undefined {
  if (uri === undefined) return 'Send a redirect_uri.';
  if (!URL.canParse(uri) || unsafeScheme.test(new URL(uri).href))
    return 'The redirect_uri is no absolute URL with http, https or the scheme of an app.';
  return uri.includes('#') ? 'The redirect_uri has a fragment.' : undefined;
}

/** Redirects the browser to the client, with parameters in the query or in the fragment. */
function redirect(
  { request, redirectUri, responseType }: Asked,
  members: Readonly<Record<string, string | undefined>>,
  { message, cookie }: { readonly message: string; readonly cookie?: string | undefined },
): MockResponse {
  const { head, parameters } = request;
  const all = { ...members, state: valueOf(parameters, 'state'), iss: issuerOf(request) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, value);
  const isFragment = responseType.includes('token') || parameters.get('response_mode') === 'fragment';
  const queryMark = redirectUri.includes('?') ? '&' : '?';
  const url = new URL(`${redirectUri}${isFragment ? '#' : queryMark}${form.toString()}`);
  return {
    status: head.method === 'POST' ? 303 : 302,
    headers: [
      'Location',
      url.href,
      'Cache-Control',
      'no-store',
      ...(cookie === undefined ? [] : ['Set-Cookie', cookie]),
    ],
    body: '',
    note: { message, ...(members['error'] !== undefined && { condition: 'invalid-parameter' }) },
  };
}

/** Returns the challenge of PKCE (RFC 7636 §4.3). */
function readChallenge(parameters: URLSearchParams): AuthorizedCode['challenge'] | LoginProblem {
  const value = valueOf(parameters, 'code_challenge');
  if (value === undefined) return undefined;
  const method = valueOf(parameters, 'code_challenge_method') ?? 'plain';
  if (method !== 'S256' && method !== 'plain')
    return { error: 'invalid_request', message: 'The code_challenge_method is S256 or plain.' };
  return /^[\w.~-]{43,128}$/u.test(value)
    ? { method, value }
    : { error: 'invalid_request', message: 'A code_challenge has 43 to 128 letters, digits, and - . _ ~.' };
}

/** Returns the first error of a request that has a good address for the response. */
function findProblem({ request: { parameters }, responseType }: Asked): LoginProblem | undefined {
  const problem = (error: string, message: string): LoginProblem => ({ error, message });
  if (responseType === '') return problem('invalid_request', 'Send a response_type.');
  if (!responseTypes.includes(responseType))
    return problem('unsupported_response_type', `The response_type is ${responseTypes.join(', ')}.`);
  const mode = valueOf(parameters, 'response_mode') ?? 'query';
  if (mode !== 'query' && mode !== 'fragment')
    return problem('invalid_request', 'The response_mode is query or fragment.');
  if (responseType.includes('id_token') && valueOf(parameters, 'nonce') === undefined)
    return problem('invalid_request', 'An ID token in the response requires a nonce.');
  return undefined;
}

/** Reports an error to the client. */
function refuse(asked: Asked, { error, message }: LoginProblem): MockResponse {
  return redirect(asked, { error, error_description: message }, { message });
}

/** Reads a request that has a good address for the response. */
function check(asked: Asked): Valid | LoginProblem {
  const problem = findProblem(asked);
  if (problem !== undefined) return problem;
  const scopes = readScopes(asked.request);
  if (isProblem(scopes)) return scopes;
  const challenge = readChallenge(asked.request.parameters);
  return challenge !== undefined && isProblem(challenge) ? challenge : { ...asked, scopes, challenge };
}

/** The parts of the server that make codes and tokens. */
interface Issuing {
  readonly issued: IssuedTokens;
  readonly tokens: TokenMaker;
  readonly grants: Grants;
}

/** Gives a client what it asks for, with the granted scopes. */
async function respond(
  asked: Valid,
  { user, cookie }: { readonly user: string; readonly cookie?: string },
  { issued, tokens, grants }: Issuing,
): Promise<MockResponse> {
  const { request, clientId, redirectUri, responseType, challenge, scopes } = asked;
  const nonce = valueOf(request.parameters, 'nonce');
  const authTime = Math.floor(issued.now() / 1_000);
  const grant: Grant = { issuer: issuerOf(request), clientId, user, scopes, nonce, authTime };
  const message = `Granted access (${responseType})`;
  if (responseType === 'code') {
    const code = grants.createCode({ grant, redirectUri, challenge });
    return redirect(asked, { code }, { message, cookie });
  }
  const types = responseType.split(' ');
  const accessToken = types.includes('token') ? await tokens.accessToken(grant) : undefined;
  const token = accessToken !== undefined && {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: String(tokenLifetime),
    scope: scopes.join(' '),
  };
  const idToken = types.includes('id_token') && { id_token: await tokens.idToken(grant, accessToken) };
  return redirect(asked, { ...token, ...idToken }, { message, cookie });
}

/** Answers the requests of browsers to the authorization endpoint (RFC 6749 §3.1). */
export type Authorize = (request: LoginRequest) => Promise<MockResponse>;

/** Creates the authorization endpoint: a page that asks a person, and then a redirect to the client. */
export function createAuthorization(issuing: Issuing): Authorize {
  /** The users by their session cookies. */
  const sessions = new Map<string, string>();

  function findSession({ head }: LoginRequest): string | undefined {
    const cookies = parseCookies(head.header('cookie')).filter(([name]) => name === sessionCookie);
    return cookies.flatMap(([, value]) => sessions.get(value) ?? [])[0];
  }

  function showPage({ request, clientId, scopes }: Valid, problem?: string): MockResponse {
    const { parameters, model, accounts } = request;
    const html = renderConsent({
      title: model.title,
      clientId,
      problem,
      user:
        valueOf(parameters, 'user') ?? valueOf(parameters, 'login_hint') ?? findSession(request) ?? usualUser,
      scopes: scopes.map((scope) => [scope, model.scopes.get(scope) ?? ''] as const),
      asksForPassword: accounts !== undefined,
      parameters: [...parameters].filter(([name]) => !pageFields.has(name)),
    });
    return problem === undefined
      ? answerPage(html, 200, { message: 'Asked for consent' })
      : answerPage(html, 403, { message: problem, condition: 'invalid-credentials' });
  }

  /** Handles the form of the consent page. */
  async function decide(asked: Valid): Promise<MockResponse> {
    const { scopes } = asked;
    const { parameters, accounts } = asked.request;
    if (parameters.get('decision') !== 'allow')
      return refuse(asked, { error: 'access_denied', message: 'The user denied the access.' });
    const user = valueOf(parameters, 'user') ?? usualUser;
    if (accounts?.has(`${user}:${parameters.get('password') ?? ''}`) === false)
      return showPage(asked, 'The user and the password are not among the accepted tokens.');
    const session = createSecret();
    keep(sessions, session, user);
    const granted = parameters.getAll('granted_scope').filter((scope) => scopes.includes(scope));
    const cookie = `${sessionCookie}=${session}; Path=/; HttpOnly; SameSite=Lax`;
    return respond({ ...asked, scopes: granted }, { user, cookie }, issuing);
  }

  return async (request) => {
    const { head, parameters, accounts } = request;
    const clientId = valueOf(parameters, 'client_id');
    const redirectUri = valueOf(parameters, 'redirect_uri');
    const stop = clientId === undefined ? 'Send a client_id.' : findRedirectProblem(redirectUri);
    if (clientId === undefined || redirectUri === undefined || stop !== undefined) {
      const message = stop ?? '';
      return answerPage(renderLoginProblem(message), 400, { message, condition: 'invalid-parameter' });
    }
    const responseType = (valueOf(parameters, 'response_type') ?? '').split(' ').toSorted().join(' ');
    const asked: Asked = { request, clientId, redirectUri, responseType };
    const valid = check(asked);
    if (isProblem(valid)) return refuse(asked, valid);
    if (head.method === 'POST' && parameters.has('decision')) return decide(valid);
    if (parameters.get('prompt') !== 'none') return showPage(valid);
    // A test names the user and needs no page. Listed users need their password.
    const hint = accounts === undefined ? valueOf(parameters, 'login_hint') : undefined;
    const user = hint ?? findSession(request);
    return user === undefined
      ? refuse(asked, {
          error: 'login_required',
          message: 'No user has logged in on this browser. A login_hint names a user for prompt=none.',
        })
      : respond(valid, { user }, issuing);
  };
}
