import { hasOnly } from './has-only.ts';
import type { Hold } from './hold.ts';
import { statusOf } from './status-of.ts';

/**
 * Holds a service that lets any token in to it. Where only listed ones are, one that gets in is a finding of its own,
 * as the document asks for credentials.
 */
export const holdAcceptedTokens: Hold = ({ subject, context, concerns }) => {
  const { policy } = context;
  if (
    policy['accepted-tokens'] === 'listed' ||
    subject.request.credentials !== 'unknown-token' ||
    !hasOnly(concerns, 'credentials')
  ) {
    return undefined;
  }
  const turnsAway = new Set([401, 403]);
  return {
    expected: 'any token is let in',
    holds: !turnsAway.has(statusOf(subject)),
  };
};
