import type { Question } from './question.ts';

/** What becomes of a body whose media type the document does not declare. */
export type UnsupportedMediaTypeAnswer =
  /** 400 with an error body. */
  | 400
  /** 415 */
  | 415
  /** It is read as if it had the declared type. */
  | 'read';

const phrases = {
  400: '400 with an error body',
  415: '415',
  read: 'it is read as if it had the declared type',
} as const;

/** The question `unsupported-media-type`: what becomes of a body in another media type? */
export const unsupportedMediaType: Question<'unsupported-media-type', UnsupportedMediaTypeAnswer> = {
  id: 'unsupported-media-type',
  question: 'What becomes of a body in another media type?',
  scope: 'operation',
  default: 400,
  representatives: [400, 415, 'read'],
  schema: {
    oneOf: [
      { const: 400, description: '400 with an error body.' },
      { const: 415, description: '415.' },
      { const: 'read', description: 'It is read as if it had the declared type.' },
    ],
  },
  describe: (answer) => phrases[answer],
};
