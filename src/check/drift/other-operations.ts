import type { Hold } from './hold.ts';
import { statusOf } from './status-of.ts';

/** Holds the statuses of methods and paths that the document does not declare. */
export const holdOtherOperations: Hold = ({ subject, context }) => {
  const { operation, exchange, answer, knowsPath } = subject;
  // A preflight and OPTIONS are CORS's matter.
  if (operation !== undefined || answer.kind === 'none' || exchange.request.method === 'OPTIONS') {
    return undefined;
  }
  const { policy, told } = context;
  const { method, path } = policy['other-operations'];
  const expected = knowsPath ? method : path;
  const status = statusOf(subject);
  // Nothing says where credentials go in such a request, so that it may have come without any.
  const isTurnedAway = told.has('missing-credentials')
    ? status === policy['missing-credentials'].status
    : status === 401 || status === 403;
  return {
    expected: String(expected),
    holds: status === expected || isTurnedAway,
  };
};
