import type { Policy } from '../../policy/policy.ts';
import type { StorePlace } from '../store/store-place.ts';

/** What the control interface says of a mock besides what the mock itself shows. */
export interface ControlFacts {
  /** The version of this package. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where resources are kept. */
  readonly store: StorePlace['kind'];
  /** The answers that the policy was made of, where neither the defaults nor the document speak. */
  readonly givenPolicy: () => Partial<Policy>;
  /** Whether there are credentials that alone are let in. */
  readonly hasTokens: boolean;
}
