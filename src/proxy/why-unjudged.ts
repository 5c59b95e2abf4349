import { declaresExactly } from '../check/declares-exactly.ts';
import type { Route } from '../contract/create-router.ts';
import type { Exchange } from '../http/exchange.ts';
import { headerValue } from '../http/header-list.ts';

/** Statuses that speak of the moment, not of the request (RFC 9110 §15.5.9, §15.6.4, RFC 8470 §5.2, RFC 6585 §4). */
const passing = [408, 425, 429, 503];
/** Fields that make a request conditional, or one for a part (RFC 9110 §13.1, §14.2). */
const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
];

/**
 * Why an exchange that somebody else made says nothing about the contract.
 *
 * @returns in words; undefined where it can be judged
 */
export function whyUnjudged({ request, answer }: Exchange, route: Route | undefined): string | undefined {
  if (route === undefined) {
    return 'its path is not in the document';
  }
  if (answer.kind === 'unreachable') {
    return 'no connection to the service came about';
  }
  if (answer.kind !== 'response') {
    return undefined;
  }
  const { status } = answer.response;
  const operation = route.operations.get(request.method);
  if (declaresExactly(operation, status)) {
    return undefined;
  }
  if (status === 101 || request.method === 'CONNECT') {
    return 'the connection became one of another protocol';
  }
  if (passing.includes(status)) {
    return 'the service put it off (408, 425, 429 or 503)';
  }
  const isConditional = conditions.some((name) => headerValue(request.headers, name) !== undefined);
  return status === 304 || (isConditional && [206, 412, 416].includes(status))
    ? 'the answer is about a copy that the client has (304), or the request conditional'
    : undefined;
}
