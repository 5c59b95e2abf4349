/** The time that the mock goes by, as the control interface says it. */
export interface Clock {
  /** In ISO 8601, UTC. */
  readonly now: string;
  readonly frozen: boolean;
}
