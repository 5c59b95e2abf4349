import type { DuplicateKeysInJsonAnswer } from '../duplicate-keys-in-json.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { jsonBodies } from './json-bodies.ts';
import { noWords } from './no-words.ts';

/** What a document says of a JSON key that is given twice: nothing (RFC 8259 §4 leaves it open too). */
export const duplicateKeysInJsonSilence: QuestionSilence<DuplicateKeysInJsonAnswer> = {
  silence: (operation) =>
    jsonBodies(operation).length > 0
      ? { kind: 'open', settledBy: noWords }
      : { kind: 'not-asked', why: 'the operation takes no JSON object' },
};
