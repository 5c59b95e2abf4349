/** What a command takes that starts from data. */
export interface DataArguments {
  readonly data: string | undefined;
  /** As it was written. */
  readonly 'data-count': unknown;
  readonly seed: unknown;
}
