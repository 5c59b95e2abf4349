/** The time of a mock: rate limits, the log and Date go by it. */
export interface MockClock {
  /** In milliseconds since 1970. */
  now(): number;
  readonly isFrozen: boolean;
  /** Goes on from this time, or stands at it where the clock is frozen. */
  set(time: number): void;
  /** Goes on from so many milliseconds later. */
  advance(ms: number): void;
  /** Stands still, or goes on from where it stands. */
  freeze(isFrozen: boolean): void;
  /** Goes as it went at the start. */
  reset(): void;
}
