import type { RefusalShape } from './declared-refusal.ts';

/**
 * A refusal of which is known only that its body is a service's own. A sentence in plain text is what most frameworks send,
 * and a client that reads it as the declared error fails on it here, as it would on the service.
 */
export const ownShape: RefusalShape = {
  headers: ['Content-Type', 'text/plain'],
  body: ({ message }) => message,
};
