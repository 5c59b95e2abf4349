/** Which requests are shown. Empty texts choose all. */
export interface RequestChoice {
  readonly search: string;
  readonly verdict: string;
  readonly operation: string;
}
