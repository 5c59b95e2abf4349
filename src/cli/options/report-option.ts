import type { Options } from 'yargs';
import { listOption } from './list-option.ts';

/** The option of every command that judges. */
export const reportOption: Readonly<Record<'report', Options>> = {
  report: {
    ...listOption,
    describe: 'Write a report besides: junit, json, html, github or har, KIND=FILE; may be given again',
  },
};
