import type { Judged } from './judged.ts';
import { classifyStatus } from './status-class.ts';

function isAccepted(judged: Judged | undefined): boolean {
  return judged !== undefined && classifyStatus(judged.answer) === 'accepted';
}

/**
 * Says why a trace does not show whether twin keys are told apart. The trace is the twins in one order, fresh
 * twins in the other, and one fresh key twice.
 *
 * @returns undefined where the trace does show it
 */
export function whyTwinsUnjudged(trace: readonly Judged[]): string | undefined {
  const [first, , third, , fresh, repeated] = trace;
  if (!isAccepted(first) || !isAccepted(third)) {
    return 'the service refuses such keys, so it shows nothing of telling them apart; it would have to take them';
  }
  return isAccepted(fresh) && isAccepted(repeated)
    ? 'the service takes a key that exists already, so two keys that it takes for one look like two'
    : undefined;
}
