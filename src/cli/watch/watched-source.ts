/** Something that a running mock was made of, and that may change. */
export interface WatchedSource {
  /** The files that it is read from, as absolute paths; a change may bring others. */
  readonly files: () => readonly string[];
  /**
   * Has the mock take up what the files hold now.
   *
   * @param changed - those of the files that hold something else than before
   * @returns what that changed, a line each; none where nothing came of it
   * @throws ClocheError where it cannot be used; the mock goes on as it was
   */
  readonly takeUp: (changed: readonly string[]) => Promise<readonly string[]>;
}
