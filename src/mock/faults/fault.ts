import type { JsonValue } from '../../json/value.ts';

/** Whether a status can be forced: one that ends an exchange (RFC 9110 §15). */
export function isForcibleStatus(status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
}

/** The id of a rule, which stands in a path: `.` and `..` would not get there (RFC 3986 §5.2.4). */
export const faultIdForm: RegExp = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,63}$/;

/** A duration in milliseconds, or a range of which each request gets one of its own. */
export type Delay = number | readonly [from: number, to: number];

/** An answer that is given instead of the one that the request would get. */
export interface ForcedAnswer {
  /** 100 to 599 have a meaning; 200 to 599 can be forced. */
  readonly status: number;
  /** The name of a declared example of that response. */
  readonly example?: string;
  /** The Retry-After of the response, in seconds. */
  readonly retryAfter?: number;
  /** Further fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** As JSON. @defaultValue what the document declares for the status, else the error of the document */
  readonly body?: JsonValue;
}

/** What goes wrong with an answer. */
export type Fault =
  | {
      readonly delay?: Delay;
      readonly answer?: ForcedAnswer;
      /** `truncate` ends the connection in the middle of the body. */
      readonly connection?: 'truncate';
    }
  /** The connection ends without an answer. */
  | { readonly delay?: Delay; readonly answer?: never; readonly connection: 'drop' };

/** Which requests a rule is for. What is left out is of no account. */
export interface FaultMatch {
  /** Its id. */
  readonly operation?: string;
  /** In any case. */
  readonly method?: string;
  /** A path as it is sent, without its query, or a template of the document. */
  readonly path?: string;
}

/** A rule that makes requests go wrong. */
export type FaultRule = FaultMatch &
  Fault & {
    /** The name of the rule; a rule with the same id is replaced. @defaultValue fault-1, fault-2 … */
    readonly id?: string;
    /** How many of the requests it is for go wrong, the next ones. @defaultValue all */
    readonly times?: number;
    /** The share of the requests it is for that go wrong, 0 to 1; the seed decides which ones. @defaultValue 1 */
    readonly share?: number;
    /** Whether it is in force. @defaultValue true */
    readonly enabled?: boolean;
  };

/** A rule in force, with what came of it. */
export type ActiveFaultRule = FaultRule & {
  readonly id: string;
  readonly enabled: boolean;
  /** How many requests it was for. */
  readonly seen: number;
  /** How many of them went wrong by it. */
  readonly applied: number;
};

/** The rules, by their ids, in which those of the start are others than before. */
export interface StartChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The rules of a mock that make requests go wrong. Of several that are for a request, the first one counts. */
export interface FaultRules {
  list(): readonly ActiveFaultRule[];
  /**
   * Adds a rule behind the others, or puts it in the place of the one with its id; it is counted from 0 then.
   *
   * @throws ClocheError OPTION_INVALID for a rule that says nothing or what cannot be
   */
  put(rule: FaultRule): ActiveFaultRule;
  /**
   * Takes other rules for those of the start. A rule that says something else than before is put, before those that
   * came later, and one that is there no more goes; what was put, changed or deleted otherwise stays so.
   *
   * @throws ClocheError OPTION_INVALID for a rule that says nothing or what cannot be; all stays as it was then
   */
  replaceStart(rules: readonly FaultRule[]): StartChange;
  /** False where there was none. */
  delete(id: string): boolean;
  clear(): void;
  /** Has the rules of the start in force again, and counts from 0. */
  reset(): void;
}
