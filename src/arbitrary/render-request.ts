import type { Operation } from '../contract/operation.ts';
import type { SecurityAlternative } from '../contract/security.ts';
import type { HeaderList } from '../http/header-list.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { KeySlot } from './key-slot.ts';
import { pickAlternative } from './pick-alternative.ts';
import { renderBody } from './render-body.ts';
import { renderCredentials } from './render-credentials.ts';
import type { RequestCase } from './request-case.ts';

/** For requests that are aimed at no operation: a service may ask for credentials before it says so. */
const anyBearer: SecurityAlternative = [{ kind: 'bearer', name: 'bearer' }];

/** One Cookie field holds all cookies (RFC 6265 §5.4). */
function joinCookies(headers: HeaderList): HeaderList {
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'cookie';
  if (!headers.some(isCookie)) {
    return headers;
  }
  const cookies = headers.filter(isCookie).map(([, value]) => value);
  return cookies.length < 2
    ? headers
    : [...headers.filter((field) => !isCookie(field)), ['Cookie', cookies.join('; ')]];
}

/**
 * Makes the bytes of a request: fills in its keys and its credentials.
 *
 * @param input.keys - the JSON text of the key that a slot stands for
 * @param input.operation - the operation that the request is aimed at, whose security says where credentials go
 * @param input.token - the good token, for basic authentication `user:password`; undefined where none is known
 * @param input.wrongToken - one that nobody issued
 */
export function renderRequest(input: {
  readonly request: RequestCase;
  readonly keys: (slot: KeySlot) => string;
  readonly operation: Operation | undefined;
  readonly token: string | undefined;
  readonly wrongToken: string;
}): HttpRequest {
  const { request, keys, operation, token, wrongToken } = input;
  const alternative = (operation === undefined ? anyBearer : pickAlternative(operation)) ?? [];
  const tokens = { good: token, wrong: wrongToken };
  const { headers, query } = renderCredentials(alternative, request.credentials, tokens);
  const joint = request.target.includes('?') ? '&' : '?';
  return {
    method: request.method,
    target: query.length === 0 ? request.target : `${request.target}${joint}${query.join('&')}`,
    headers: joinCookies([...headers, ...request.headers]),
    body: request.body === undefined ? undefined : renderBody(request.body, keys),
  };
}
