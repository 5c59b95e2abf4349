/** Whoever asks has been told to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
