import type { FindMask } from '../mask.ts';

/** Where every token is let in, none is refused. */
export const invalidCredentialsMask: FindMask = (answers) =>
  answers['accepted-tokens'] === 'any' ? { by: 'accepted-tokens', why: 'every token is let in' } : undefined;
