import type { Hold } from './hold.ts';
import { holdCredentials } from './hold-credentials.ts';

/** Holds the answer to a token that is not known. */
export const holdInvalidCredentials: Hold = (input) => {
  const { credentials } = input.subject.request;
  const { policy, told } = input.context;
  const isLetIn = told.has('accepted-tokens') && policy['accepted-tokens'] === 'any';
  return credentials === 'unknown-token' && !isLetIn
    ? holdCredentials('invalid-credentials', input)
    : undefined;
};
