/** What every command takes that is given answers to what a document leaves open. */
export interface PolicyArguments {
  readonly document: string | undefined;
  readonly policy: string | undefined;
  readonly answer: readonly string[];
}
