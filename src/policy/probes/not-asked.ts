import type { ProbeReading } from '../probe.ts';

/**
 * A question that an operation gives no occasion to ask.
 *
 * @param why - a sentence without its full stop
 */
export function notAsked(why: string): Extract<ProbeReading<never>, { kind: 'not-asked' }> {
  return { kind: 'not-asked', why };
}
