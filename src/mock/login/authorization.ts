import type { MockResponse } from '../message.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import type { AskedAccess, Consent } from './consent.ts';
import { renderMessage } from './consent-page.ts';
import type { AuthorizedCode, Grants } from './grants.ts';
import {
  answerPage,
  invalid,
  isProblem,
  issuerOf,
  type LoginProblem,
  type LoginRequest,
  readScopes,
  valueOf,
} from './login-answer.ts';
import type { Grant } from './tokens.ts';

/** An authorization request with a client and an address for the response. */
interface Asked extends Pick<AuthorizedCode, 'redirectUri'> {
  readonly request: LoginRequest;
  readonly clientId: string;
}

/** An authorization request without errors. */
interface Valid extends Asked, AskedAccess, Pick<AuthorizedCode, 'challenge'> {}

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
  { request, redirectUri }: Asked,
  members: Readonly<Record<string, string | undefined>>,
  { message, cookie }: { readonly message: string; readonly cookie?: string | undefined },
): MockResponse {
  const { head, parameters } = request;
  const all = { ...members, state: valueOf(parameters, 'state'), iss: issuerOf(request) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, value);
  const isFragment = parameters.get('response_mode') === 'fragment';
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
  if (method !== 'S256' && method !== 'plain') return invalid('The code_challenge_method is S256 or plain.');
  return /^[\w.~-]{43,128}$/u.test(value)
    ? { method, value }
    : invalid('A code_challenge has 43 to 128 letters, digits, and - . _ ~.');
}

/** Returns the first error of a request that has a good address for the response. */
function findProblem({ parameters }: LoginRequest): LoginProblem | undefined {
  const responseType = valueOf(parameters, 'response_type');
  if (responseType === undefined) return invalid('Send a response_type.');
  if (responseType !== 'code')
    return { error: 'unsupported_response_type', message: 'The response_type is code.' };
  const mode = valueOf(parameters, 'response_mode') ?? 'query';
  return mode === 'query' || mode === 'fragment'
    ? undefined
    : invalid('The response_mode is query or fragment.');
}

/** Reports an error to the client. */
function refuse(asked: Asked, { error, message }: LoginProblem): MockResponse {
  return redirect(asked, { error, error_description: message }, { message });
}

/** Reads a request that has a good address for the response. */
function check(asked: Asked): Valid | LoginProblem {
  const problem = findProblem(asked.request);
  if (problem !== undefined) return problem;
  const scopes = readScopes(asked.request);
  if (isProblem(scopes)) return scopes;
  const challenge = readChallenge(asked.request.parameters);
  return challenge !== undefined && isProblem(challenge) ? challenge : { ...asked, scopes, challenge };
}

/** The parts of the server that the endpoint needs. */
interface Parts {
  readonly issued: IssuedTokens;
  readonly grants: Pick<Grants, 'createCode'>;
  readonly consent: Consent;
}

/** Creates the authorization endpoint (RFC 6749 §3.1): a page that asks a person, and then a redirect to the client. */
export function createAuthorization({
  issued,
  grants,
  consent,
}: Parts): (request: LoginRequest) => MockResponse {
  return (request) => {
    const { parameters } = request;
    const clientId = valueOf(parameters, 'client_id');
    const redirectUri = valueOf(parameters, 'redirect_uri');
    const stop = clientId === undefined ? 'Send a client_id.' : findRedirectProblem(redirectUri);
    if (clientId === undefined || redirectUri === undefined || stop !== undefined) {
      const message = stop ?? '';
      const page = renderMessage('The login cannot start', message);
      return answerPage(page, 400, { message, condition: 'invalid-parameter' });
    }
    const asked: Asked = { request, clientId, redirectUri };
    const valid = check(asked);
    if (isProblem(valid)) return refuse(asked, valid);
    const result = consent(valid);
    if ('status' in result) return result;
    if (isProblem(result)) return refuse(asked, result);
    const { user, scopes, cookie } = result;
    const nonce = valueOf(parameters, 'nonce');
    const authTime = Math.floor(issued.now() / 1_000);
    const grant: Grant = { issuer: issuerOf(request), clientId, user, scopes, nonce, authTime };
    const code = grants.createCode({ grant, redirectUri, challenge: valid.challenge });
    return redirect(asked, { code }, { message: 'Granted access', cookie });
  };
}
