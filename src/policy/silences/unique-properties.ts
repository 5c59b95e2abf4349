import type { QuestionSilence } from '../question-silence.ts';
import type { UniquePropertiesAnswer } from '../unique-properties.ts';
import { noWords } from './no-words.ts';

/** What a document says of values that no two resources may share: nothing, JSON Schema looks at one value alone. */
export const uniquePropertiesSilence: QuestionSilence<UniquePropertiesAnswer> = {
  silence: ({ kind }) =>
    kind.kind === 'create'
      ? { kind: 'open', settledBy: noWords }
      : { kind: 'not-asked', why: 'the operation creates nothing' },
};
