import type { FindMask } from '../mask.ts';

/** What is kept shows in the answer alone. */
export const undeclaredPropertiesMask: FindMask = (answers) =>
  answers.echo === 'none' && answers['undeclared-properties'] !== 'refuse'
    ? { by: 'echo', why: 'it is taken, and no answer shows what is kept' }
    : undefined;
