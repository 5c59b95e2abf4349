import type { JsonValue } from '../../json/value.ts';

/** Returns true if a status can be forced: a final status (RFC 9110 §15). */
export function isForcibleStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}

/** The form of a rule id, which is part of a path: `.` and `..` would be removed from it (RFC 3986 §5.2.4). */
export const faultIdForm: RegExp = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,63}$/;

/** A duration in milliseconds, or a range from which each request gets a random one. */
export type Delay = number | readonly [from: number, to: number];

/** A response that replaces the regular one. */
export interface ForcedAnswer {
  /** The status; 100 to 599 have a meaning, 200 to 599 can be forced. */
  readonly status: number;
  /** The name of a declared example of that response. */
  readonly example?: string;
  /** The Retry-After of the response, in seconds. */
  readonly retryAfter?: number;
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as JSON. @defaultValue what the document declares for the status, or else the error of the document */
  readonly body?: JsonValue;
}

/** A fault: the way a response goes wrong. */
export type Fault =
  | {
      readonly delay?: Delay;
      readonly answer?: ForcedAnswer;
      /** `truncate` closes the connection in the middle of the body. */
      readonly connection?: 'truncate';
    }
  /** The connection is closed without a response. */
  | { readonly delay?: Delay; readonly answer?: never; readonly connection: 'drop' };

/** The requests that a rule matches; an absent member matches all. */
export interface FaultMatch {
  /** The operationId, or the method and path template: `GET /orders/{id}`. */
  readonly operation?: string;
  /** The method, in any case. */
  readonly method?: string;
  /** The path as sent, without the query, or a path template of the document. */
  readonly path?: string;
}

/** A fault rule. */
export type FaultRule = FaultMatch &
  Fault & {
    /** The name of the rule; a rule with the same id is replaced. @defaultValue fault-1, fault-2 … */
    readonly id?: string;
    /** The number of matching requests that it affects, from the next one. @defaultValue all */
    readonly times?: number;
    /** The share of matching requests that it affects, 0 to 1; the seed decides which ones. @defaultValue 1 */
    readonly share?: number;
    /** Whether it is active. @defaultValue true */
    readonly enabled?: boolean;
  };

/** A rule of a mock, with its counts. */
export type ActiveFaultRule = FaultRule & {
  readonly id: string;
  readonly enabled: boolean;
  /** The number of requests that it matched. */
  readonly seen: number;
  /** The number of requests that it affected. */
  readonly applied: number;
};

/** The differences of the initial rules to the previous ones, by id. */
export interface StartChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The fault rules of a mock. If several match a request, the first applies. */
export interface FaultRules {
  list(): readonly ActiveFaultRule[];
  /**
   * Adds a rule after the others, or replaces the one with its id; its counts start from 0.
   *
   * @throws ClocheError OPTION_INVALID for a rule that has no effect or is impossible
   */
  put(rule: FaultRule): ActiveFaultRule;
  /**
   * Replaces the initial rules. Changed and new ones are put before the rules that were added later, and missing ones
   * are removed. Other rules that were put, changed or deleted in the meantime stay so.
   *
   * @throws ClocheError OPTION_INVALID for a rule that has no effect or is impossible; nothing is changed then
   */
  replaceStart(rules: readonly FaultRule[]): StartChange;
  /** Removes a rule. Returns false if it does not exist. */
  delete(id: string): boolean;
  clear(): void;
  /** Restores the initial rules, with counts of 0. */
  reset(): void;
}
