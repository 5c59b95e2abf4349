/** A matter that a document leaves open, with the answers that an implementation may give. */
export interface Question<Id extends string, Answer> {
  readonly id: Id;
  /** In words, as one would ask it of an implementation. */
  readonly question: string;
  /** How the mock answers where nobody says otherwise. */
  readonly default: Answer;
  /** A few answers that stand for all, the default first; the tests go through them. */
  readonly representatives: readonly Answer[];
}
