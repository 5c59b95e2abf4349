/** What the mock says of itself. */
export interface Service {
  readonly title: string;
  readonly version: string;
  /** Where its document was read. */
  readonly source: string;
  /** Another one after the mock was started again. */
  readonly startedAt: string;
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
  /** What watching its files had to say last. */
  readonly notices: readonly string[];
}
