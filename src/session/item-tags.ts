import { isAccepted } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import { type Answer, headerValue, isSafeMethod } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isSuccessStatus } from '../http/status.ts';

/** The ETags that the last responses gave of items, by concrete path. */
export type ItemTags = Map<string, string>;

/** The maximum number of ETags. A request names an item that was used a short time before. */
const mostTags = 2_000;

/** Returns the ETag in a success, or in a 304 (RFC 9110 §8.8.3). A framework may add one to an error too. */
export function readTag(answer: Answer): string | undefined {
  if (answer.kind !== 'response') return undefined;
  const { status, headers } = answer.response;
  return isSuccessStatus(status) || status === 304 ? headerValue(headers, 'etag') : undefined;
}

/** Records an ETag. */
export function keepTag(tags: ItemTags, path: string, tag: string): void {
  tags.delete(path);
  tags.set(path, tag);
  const [oldest = ''] = tags.keys();
  if (tags.size > mostTags) tags.delete(oldest);
}

/**
 * Records the ETag that a response gives of the item in the path of its request, or of the created one. A change makes
 * the ETags of that item and of those above it unknown, and so does a refusal of the known one.
 *
 * @param made - the path of the item that the request created
 */
export function rememberTag(
  tags: ItemTags,
  { exchange, answer, operation }: CheckedExchange,
  made: string | undefined,
): void {
  const { method, target, headers } = exchange.request;
  const path = pathOf(target);
  const isStale = statusIs(exchange.answer, 412) && headerValue(headers, 'if-match') === tags.get(path);
  const isSafe = isSafeMethod(method);
  if (!isSafe && (isAccepted(answer) || isStale)) {
    const segments = path.split('/');
    segments.forEach((_, index) => tags.delete(segments.slice(0, index + 1).join('/')));
  }
  const tag = readTag(exchange.answer);
  const isOfItem = isSafe || operation?.kind.kind === 'replace' || operation?.kind.kind === 'update';
  if (tag !== undefined && (isOfItem || made !== undefined)) keepTag(tags, made ?? path, tag);
}

const statusIs = (answer: Answer, status: number): boolean =>
  answer.kind === 'response' && answer.response.status === status;

/**
 * Returns the path of the item whose ETag a request names: its own if a GET can read that, else that of the item in it,
 * such as `/orders/7` for `/orders/7/cancel`.
 *
 * @param path - the concrete path of the request
 * @param route - the route of that path
 */
export function taggedPath(path: string, operation: Operation | undefined, route: Route | undefined): string {
  const item = operation?.items.at(-1);
  return item === undefined || route?.operations.has('GET') === true
    ? path
    : path.split('/').slice(0, item.path.split('/').length).join('/');
}
