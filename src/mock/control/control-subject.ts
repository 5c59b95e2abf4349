/** What of a mock its control interface depends on. */
export interface ControlSubject {
  /** The ids of the operations that are mocked. */
  readonly operations: readonly string[];
  /** Whether there are credentials that alone are let in. */
  readonly hasTokens: boolean;
}
