import type { MockClock } from '../clock/mock-clock.ts';
import { earliestTime, latestTime } from './times-of-texts.ts';

/** The time of a mock as the control interface says it; one that no text can name is the nearest that it can. */
export function describeClock(clock: MockClock): { readonly now: string; readonly frozen: boolean } {
  const now = Math.min(Math.max(clock.now(), earliestTime), latestTime);
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen };
}
