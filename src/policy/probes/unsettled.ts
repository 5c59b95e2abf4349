import type { ProbeReading } from '../probe.ts';

/**
 * A trial that settles nothing.
 *
 * @param why - a sentence without its full stop
 */
export function unsettled(why: string): Extract<ProbeReading<never>, { kind: 'unsettled' }> {
  return { kind: 'unsettled', why };
}
