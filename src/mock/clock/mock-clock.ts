/** The time of a mock: rate limits, the log and Date go by it. */
export interface MockClock {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly isFrozen: boolean;
  /** Goes on from this time, or stands at it where the clock is frozen. */
  readonly set: (time: number) => void;
  /** Goes on from so many milliseconds later. */
  readonly advance: (ms: number) => void;
  /** Stands still, or goes on from where it stands. */
  readonly freeze: (isFrozen: boolean) => void;
  /** Goes as it went at the start. */
  readonly reset: () => void;
}
