import type { OtherOperationsAnswer } from '../other-operations.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { noWords } from './no-words.ts';

/** What a document says of what it does not declare: nothing. */
export const otherOperationsSilence: QuestionSilence<OtherOperationsAnswer> = {
  silence: () => ({
    kind: 'open',
    settledBy: noWords,
  }),
};
