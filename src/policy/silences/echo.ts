import type { EchoAnswer } from '../echo.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { noWords } from './no-words.ts';

/** What a document says of whether a create answers with what was sent: nothing that a program could read. */
export const echoSilence: QuestionSilence<EchoAnswer> = {
  silence: ({ kind }) =>
    kind.kind === 'create'
      ? { kind: 'open', settledBy: noWords }
      : { kind: 'not-asked', why: 'the operation creates nothing' },
};
