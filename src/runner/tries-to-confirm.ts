import type { Finding } from '../check/finding.ts';
import type { SessionRecord } from './create-session.ts';
import { mayComeOfState } from './may-come-of-state.ts';
import { triesAgainstChance } from './tries-against-chance.ts';

/** So often chance alone hardly meets the keys of a store that holds one in three of them. */
const triesOfStored = 10;

/**
 * How often a finding has to come back: once, and oftener, each time for other keys, where what a live store holds
 * may be the cause.
 *
 * @param found.records - those that the finding rests on
 * @param plain - the plain bodies under fresh keys so far
 */
export function triesToConfirm(
  { finding, records }: { readonly finding: Finding; readonly records: readonly SessionRecord[] },
  plain: { readonly sent: number; readonly accepted: number },
): number {
  if (!mayComeOfState(finding, records)) {
    return 1;
  }
  // What is answered with what was stored counts as taken.
  return finding.check === 'echo' ? triesOfStored : triesAgainstChance(plain, { least: 3, most: 16 });
}
