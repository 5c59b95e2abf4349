import type { RefusalShape } from './declared-refusal.ts';

/** An error as RFC 9457 §3 has it. The type is left to be `about:blank`, whose title is that of the status (§4.2.1). */
export const problemShape: RefusalShape = {
  headers: ['Content-Type', 'application/problem+json'],
  body: ({ status, condition, message }) =>
    JSON.stringify({ title: condition.replaceAll('-', ' '), status, detail: message }),
};
