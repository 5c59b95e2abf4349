import type { MockClock } from '../clock/mock-clock.ts';

/** The time of a mock as the control interface says it. */
export function describeClock(clock: MockClock): { readonly now: string; readonly frozen: boolean } {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen };
}
