import type { Arbitrary } from 'fast-check';

/** What there is to try: fixed cases, the plainest first, and random ones that shrink. */
export interface Cases<Case> {
  readonly examples: readonly Case[];
  /** Undefined where the examples are all there is. */
  readonly arbitrary: Arbitrary<Case> | undefined;
}
