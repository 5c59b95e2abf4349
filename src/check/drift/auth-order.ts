import { bodyRefusals } from './body-refusals.ts';
import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { statusOf } from './status-of.ts';

/**
 * Holds the order of checks, by a body that breaks its schema and comes without good credentials. It shows only where
 * the two are refused with different statuses. A body that is no JSON shows nothing: it may be read before anything
 * else is looked at.
 */
export const holdAuthOrder: Hold = ({ subject, context, concerns }) => {
  const { policy, told } = context;
  const { credentials } = subject.request;
  const isLetIn =
    credentials === 'unknown-token' && (!told.has('accepted-tokens') || policy['accepted-tokens'] === 'any');
  if (
    !concerns.has('credentials') ||
    !concerns.has('invalid') ||
    !hasOnly(concerns, 'credentials', 'invalid') ||
    credentials === 'unjudged' ||
    isLetIn
  ) {
    return undefined;
  }
  const question = credentials === 'unknown-token' ? 'invalid-credentials' : 'missing-credentials';
  const turnsAway = told.has(question) ? [policy[question].status] : [401, 403];
  if (turnsAway.some((status) => bodyRefusals.has(status))) {
    return undefined;
  }
  const status = statusOf(subject);
  const isBefore = policy['auth-order'] === 'before';
  return {
    expected: isBefore
      ? 'it is turned away for its credentials, whatever its body holds'
      : 'it is refused for its body, whatever its credentials are',
    holds: isBefore ? !bodyRefusals.has(status) : !turnsAway.includes(status),
  };
};
