import { ClocheError } from '../../errors/cloche-error.ts';

/**
 * A store that cannot answer now, and may later. The mock is not wrong, and neither is the request: it is answered
 * with 503.
 */
export class StoreUnavailable extends ClocheError {
  /** When it was found to be away, in milliseconds since 1970. */
  readonly since: number;
  /** What is the matter, without a full stop. */
  readonly complaint: string;

  /**
   * @param input.place - where the store is, without a secret: `file:orders.db`, `redis://127.0.0.1:6379/0`
   * @param input.reason - what is the matter, without a full stop
   */
  constructor(input: {
    readonly place: string;
    readonly reason: string;
    readonly since: number;
    readonly cause?: unknown;
  }) {
    super('STORE_UNUSABLE', {
      attempt: 'reach the store',
      subject: input.place,
      reason: `${input.reason}, since ${new Date(input.since).toISOString()}`,
      remedy: 'It is tried again with the next request; what was acknowledged is kept there',
      ...('cause' in input ? { cause: input.cause } : {}),
    });
    this.since = input.since;
    this.complaint = input.reason;
  }
}
