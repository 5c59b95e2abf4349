import type { Operation } from '../contract/operation.ts';
import { buildRequest } from './build-request.ts';
import { plainRequest } from './plain-request.ts';
import type { RequestCase } from './request-case.ts';
import { simplestBodies } from './simplest-bodies.ts';

/**
 * The simplest requests to an operation, in the place of a given one: with the key that it has, and with a
 * body where it has one. The smallest comes first; the last one is plain in every respect.
 */
export function simplestRequests(large: RequestCase, operation: Operation): readonly RequestCase[] {
  const { body } = plainRequest(operation);
  return body.kind !== 'body' || large.body === undefined
    ? [buildRequest(operation, { body: undefined })]
    : simplestBodies(large.body, body.body).map((made) => buildRequest(operation, { body: made }));
}
