/** A block that did not do what its page says. */
export interface BlockFailure {
  /** The line of its fence. */
  readonly line: number;
  readonly failure: string;
  readonly expected?: string;
  readonly output: string;
}

/** Returns whether a page has blocks to run. */
export function isRunnable(page: string): boolean;

/** Runs the blocks of a page in `folder`, which must not exist, with the packages of `modules`. */
export function runPage(input: {
  readonly page: string;
  readonly folder: string;
  readonly modules: string;
}): Promise<readonly BlockFailure[]>;
