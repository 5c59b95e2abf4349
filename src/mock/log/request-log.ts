import type { JsonValue } from '../../json/json-value.ts';
import type { LoggedRequest } from './logged-request.ts';

/** Which requests are meant. What is left out is of no account. */
export interface RequestFilter {
  readonly operation?: string;
  /** In any case. */
  readonly method?: string;
  /** A path as it was sent, without its query, or a template of the document. */
  readonly path?: string;
  readonly status?: number;
  readonly verdict?: LoggedRequest['verdict'];
  readonly condition?: string;
  /** A text that the target, the body or the message holds, upper and lower case alike. */
  readonly search?: string;
  /** What the body holds: each member given must be in it, numbers equal by value; arrays in full. */
  readonly body?: JsonValue;
  /** Fields that it has, names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests with a higher id. */
  readonly after?: number;
}

/** How often something is expected. */
export type Times = number | { readonly atLeast?: number; readonly atMost?: number };

/** Whether requests came as often as expected. */
export interface Verification {
  readonly verified: boolean;
  readonly count: number;
  /** In words, both what was expected and what came. */
  readonly message: string;
  /** Where too few came: the request that comes nearest, and what about it differs. */
  readonly nearest?: { readonly request: LoggedRequest; readonly differences: readonly string[] } | undefined;
}

/** What a mock was asked, bounded in bytes: the oldest requests give way. */
export interface RequestLog {
  /**
   * In the order in which they were answered.
   *
   * @param limit - the newest so many; all where left out
   */
  list(filter?: RequestFilter, limit?: number): readonly LoggedRequest[];
  get(id: number): LoggedRequest | undefined;
  /** How many requests gave way to newer ones since the log was cleared. */
  readonly dropped: number;
  /** The id of the oldest request in it; 0 where it is empty. */
  readonly first: number;
  /** The id of the newest request in it; 0 where it is empty. */
  readonly last: number;
  clear(): void;
  /**
   * Waits until so many requests match, and gives them.
   *
   * @param options.times - 1 where left out
   * @param options.timeoutMs - 5000 where left out
   * @returns those that match by then; fewer than asked for where the time is over
   */
  waitFor(
    filter: RequestFilter,
    options?: { readonly times?: number; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<readonly LoggedRequest[]>;
  /**
   * Looks whether requests came as often as expected: at least once where nothing is said. It does not throw where they
   * did not; of an operation that there is not, nothing is verified.
   *
   * @throws ClocheError OPTION_INVALID for a filter, or how often, that has a name that there is not
   *
   * @example
   * const { verified, message } = mock.requests.verify({ operation: 'createOrder' }, 1);
   * assert.ok(verified, message);
   */
  verify(filter: RequestFilter, times?: Times): Verification;
}
