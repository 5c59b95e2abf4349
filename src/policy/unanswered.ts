/** A request of a probe that no answer came to: nothing can be concluded from its trial. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}
