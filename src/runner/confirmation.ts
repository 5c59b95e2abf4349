import type { SessionRecord } from './create-session.ts';

/** How often a finding came back. */
export interface Confirmation {
  readonly seen: number;
  readonly tried: number;
  /** The exchanges that showed it last; none where it was not tried again or never came back. */
  readonly records: readonly SessionRecord[];
}
