import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { statusOf } from './status-of.ts';

/**
 * Holds a service that puts nobody off to it. Bad credentials may be put off by a guard against guessing, which is no
 * such limit. Whether a limit is kept is seen in many requests together.
 */
export const holdRateLimit: Hold = ({ subject, context, concerns }) =>
  context.policy['rate-limit'] === 'none' && hasOnly(concerns) && statusOf(subject) === 429
    ? { expected: 'nobody is put off', holds: false }
    : undefined;
