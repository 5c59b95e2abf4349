import type { Answer } from './answer.ts';

/** Ends the reason of a drop that may be no fault of the service. */
const note = 'on a connection that had been used before';

/** Marks the reason of a drop as one that {@link isStaleConnectionDrop} knows. */
export function noteStaleConnection(reason: string): string {
  return `${reason}, ${note}`;
}

/**
 * Whether a connection was dropped in a way that says nothing yet about the request: it had carried
 * answers before, and nothing of this one came. A service may close an idle connection at any time, and the
 * request may have met it half-way (RFC 9112 §9.3.1, §9.5). Whether the request was acted on cannot be known.
 */
export function isStaleConnectionDrop(answer: Answer): boolean {
  return answer.kind === 'dropped' && answer.received.length === 0 && answer.reason.endsWith(note);
}
