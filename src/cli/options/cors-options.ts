import { listOption } from './list-option.ts';

/** The options that say which pages of other origins may use a mock. */
export const corsOptions: {
  readonly cors: {
    readonly type: 'boolean';
    readonly default: true;
    readonly defaultDescription: string;
    readonly describe: string;
  };
  readonly 'cors-origin': typeof listOption & { readonly describe: string };
} = {
  cors: {
    type: 'boolean',
    default: true,
    defaultDescription: 'on',
    describe: 'Let pages of other origins in (CORS); --no-cors lets none, and leaves OPTIONS to the document',
  },
  'cors-origin': {
    ...listOption,
    defaultDescription: 'any',
    describe: 'An origin whose pages are let in, as in http://localhost:5173; may be given again',
  },
};
