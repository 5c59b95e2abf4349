import type { FindMask } from '../mask.ts';

const taken: readonly unknown[] = ['replace', 'keep-first', 'accept'];

/** Which resource is kept shows in the answer alone. */
export const duplicateKeyMask: FindMask = (answers) =>
  answers.echo === 'none' && taken.includes(answers['duplicate-key'])
    ? { by: 'echo', why: 'a repeated key is taken, and no answer shows which resource is kept' }
    : undefined;
