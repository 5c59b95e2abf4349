import type { Hold } from './hold.ts';
import { holdCredentials } from './hold-credentials.ts';

/** Holds the answer to a request without credentials, or with those of another scheme. */
export const holdMissingCredentials: Hold = (input) => {
  const { credentials } = input.subject.request;
  return credentials === 'missing' || credentials === 'other'
    ? holdCredentials('missing-credentials', input)
    : undefined;
};
