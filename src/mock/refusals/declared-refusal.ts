import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { isOfAnyKind } from '../../contract/is-of-any-kind.ts';
import { createErrorBody, type ErrorBody } from '../bodies/create-error-body.ts';
import { sampleHeaders } from '../bodies/sample-headers.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import { ownShape } from './own-shape.ts';
import type { RefusalPlan } from './refusal-plan.ts';

/** How refusals of one shape are written. */
export interface RefusalShape {
  /** Content-Type and what the document requires besides, names and values in turn. */
  readonly headers: readonly string[];
  /** Undefined where the answer has no content. */
  readonly body: ErrorBody | undefined;
}

/** A refusal that the document declares, with the status that it gets. */
export interface DeclaredRefusal extends RefusalShape {
  readonly status: number;
}

/** Several conditions most often share a response. */
const shapes = new WeakMap<DeclaredResponse, RefusalShape | undefined>();

/**
 * The shape of a declared response, prepared.
 *
 * @returns undefined where no body can be made that its schema accepts
 */
export function toRefusalShape(response: DeclaredResponse): RefusalShape | undefined {
  if (!shapes.has(response)) {
    shapes.set(response, prepareShape(response));
  }
  return shapes.get(response);
}

function prepareShape(response: DeclaredResponse): RefusalShape | undefined {
  const headers = sampleHeaders(response.headers);
  const sent = chooseSentMedia(response.media);
  if (sent === undefined) {
    return { headers, body: undefined };
  }
  if (isOfAnyKind(sent.media)) {
    return { headers: [...ownShape.headers, ...headers], body: ownShape.body };
  }
  const body = createErrorBody(sent);
  return body === undefined ? undefined : { headers: ['Content-Type', sent.contentType, ...headers], body };
}

/**
 * The declared response that carries a refusal: the first of the plan's statuses that is declared by
 * itself, else the range or `default` that speaks for the plan's own status.
 *
 * @returns undefined where none is declared
 */
export function findDeclaredRefusal(
  responses: readonly DeclaredResponse[],
  plan: RefusalPlan,
): DeclaredRefusal | undefined {
  if (plan.declared.length === 0) {
    return undefined;
  }
  const exact = plan.declared.flatMap((status) =>
    responses
      .filter((response) => response.status.kind === 'exact' && response.status.status === status)
      .map((response) => ({ status, response })),
  );
  const covering = findDeclaredResponse(responses, plan.status);
  const candidates = covering === undefined ? exact : [...exact, { status: plan.status, response: covering }];
  for (const { status, response } of candidates) {
    const shape = toRefusalShape(response);
    if (shape !== undefined) {
      return { status, ...shape };
    }
  }
  return undefined;
}
