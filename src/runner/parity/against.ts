import type { Target } from '../target.ts';

/** A service that is sent what the service under test is sent, to see whether they answer alike. */
export interface Against extends Pick<Target, 'name' | 'send' | 'policy' | 'told' | 'echo' | 'token'> {
  /** What reports call it, and the service under test: `the mock`, `the other service`, `the service`. */
  readonly names: { readonly tested: string; readonly other: string };
}
