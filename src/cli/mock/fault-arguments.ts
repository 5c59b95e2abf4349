/** What a command takes that makes answers go wrong. */
export interface FaultArguments {
  readonly delay: unknown;
  readonly faults: unknown;
}
