import type { Question } from './question.ts';

/** What becomes of a body whose media type the document does not declare. */
export type UnsupportedMediaTypeAnswer =
  /** 400 with an error body. */
  | 400
  /** 415 */
  | 415
  /** It is read as if it had the declared type. */
  | 'read';

/** The question `unsupported-media-type`: what becomes of a body in another media type? */
export const unsupportedMediaType: Question<'unsupported-media-type', UnsupportedMediaTypeAnswer> = {
  id: 'unsupported-media-type',
  question: 'What becomes of a body in another media type?',
  default: 400,
  representatives: [400, 415, 'read'],
};
