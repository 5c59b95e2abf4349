import type { Condition } from '../../policy/behaviour.ts';
import type { MockResponse, RequestHead } from '../message.ts';
import type { LoginModel, Issuer } from './login-routes.ts';

/** A request to an endpoint of the authorization server. */
export interface LoginRequest {
  readonly head: RequestHead;
  /** The members of a form, or else of the query. */
  readonly parameters: URLSearchParams;
  /** Whether they come from a form. */
  readonly isForm: boolean;
  readonly model: LoginModel;
  readonly issuer: Issuer;
  /** The origin of the mock, as the client called it. */
  readonly origin: string;
  /** The accepted `client:secret` and `user:password`; undefined if any are accepted. */
  readonly accounts: ReadonlySet<string> | undefined;
}

/** An error of OAuth 2, by its code (RFC 6749 §4.1.2.1, §5.2). */
export interface LoginProblem {
  readonly error: string;
  /** A sentence without secrets. */
  readonly message: string;
}

/** Creates the error of a request that lacks something or is malformed. */
export const invalid = (message: string): LoginProblem => ({ error: 'invalid_request', message });

/** Creates the error of a code or another grant that is not accepted. */
export const denied = (message: string): LoginProblem => ({ error: 'invalid_grant', message });

/** Returns a value of the parameters that is not empty. */
export function valueOf(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.get(name) || undefined;
}

/** Returns the identifier of the issuer of a request. */
export function issuerOf({ origin, issuer }: Pick<LoginRequest, 'origin' | 'issuer'>): string {
  return `${origin}${issuer.path}`;
}

/** The scopes of OpenID Connect (OpenID Connect Core 1.0 §5.4, §11). */
export const openIdScopes: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

/**
 * Reads the requested scopes (RFC 6749 §3.3). Without any, the token gets all that the document declares.
 *
 * @returns a problem if the document does not declare one of them
 */
export function readScopes({
  parameters,
  model,
}: Pick<LoginRequest, 'parameters' | 'model'>): readonly string[] | LoginProblem {
  const wanted = [
    ...new Set((valueOf(parameters, 'scope') ?? '').split(/ +/u).filter((word) => word !== '')),
  ];
  if (wanted.length === 0) return [...model.scopes.keys()];
  const unknown = wanted.find((scope) => !model.scopes.has(scope) && !openIdScopes.includes(scope));
  return unknown === undefined || !model.hasOnlyTheseScopes
    ? wanted
    : {
        error: 'invalid_scope',
        message: `The document declares no scope "${unknown.slice(0, 60)}": it has ${[...model.scopes.keys()].join(', ')}.`,
      };
}

/** Returns whether a result is an error. */
export function isProblem(result: object): result is LoginProblem {
  return 'error' in result;
}

/** No cache may keep a response with a token (RFC 6749 §5.1). */
const uncached = ['Cache-Control', 'no-store'];

/** Creates a response with JSON. */
export function answerJson(body: object, message: string): MockResponse {
  const headers = ['Content-Type', 'application/json', ...uncached];
  return { status: 200, headers, body: JSON.stringify(body), note: { message } };
}

/** Creates the response to a rejected request. */
export function refuseLogin(
  { error, message }: LoginProblem,
  { status = 400, headers = [] }: { readonly status?: number; readonly headers?: readonly string[] } = {},
): MockResponse {
  const isCredential = /^invalid_(?:client|grant|token)$/u.test(error);
  const condition: Condition = isCredential ? 'invalid-credentials' : 'invalid-parameter';
  return {
    status,
    headers: ['Content-Type', 'application/json', ...uncached, ...headers],
    // RFC 6749 §5.2 allows only these characters.
    body: JSON.stringify({ error, error_description: message.replaceAll(/[^ !#-[\]-~]/gu, "'") }),
    note: { condition, message },
  };
}

/** Creates a page for a person. No other page may frame it. */
export function answerPage(html: string, status: number, note: MockResponse['note']): MockResponse {
  return {
    status,
    headers: [
      'Content-Type',
      'text/html; charset=utf-8',
      ...uncached,
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ],
    body: html,
    note,
  };
}
