/** How long the server waits for what, in milliseconds. */
export interface ServerTimes {
  /** For the head of a request. */
  readonly headMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** Between two looks at which connections are past their time. */
  readonly checkMs: number;
  /** For the next request on a connection. */
  readonly keepAliveMs: number;
  /** For a client to stop sending content that nobody reads. */
  readonly lingerMs: number;
  /** For what is in flight when the server closes. */
  readonly closeMs: number;
}

/** How long the server waits where nobody says otherwise. */
export const serverTimes: ServerTimes = {
  headMs: 10_000,
  requestMs: 30_000,
  checkMs: 1000,
  keepAliveMs: 10_000,
  lingerMs: 2000,
  closeMs: 2000,
};
