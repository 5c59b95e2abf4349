import { listOption } from './list-option.ts';

/** The options of every command that takes answers to what a document leaves open. */
export const policyOptions: {
  readonly policy: {
    readonly type: 'string';
    readonly requiresArg: true;
    readonly describe: string;
    readonly defaultDescription: string;
  };
  readonly answer: typeof listOption & { readonly describe: string };
} = {
  policy: {
    type: 'string',
    requiresArg: true,
    describe: 'A file of answers to what the document leaves open, JSON or YAML',
    defaultDescription: 'none',
  },
  answer: {
    ...listOption,
    describe: 'One such answer, QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; may be given again',
  },
};
