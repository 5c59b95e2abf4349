import type { Policy } from '../policy/policy.ts';
import type { RequestLogEntry } from './request-log-entry.ts';

/** How a mock is to be. */
export interface MockOptions {
  /**
   * Answers to what the document leaves open.
   *
   * @defaultValue those of defaultPolicy
   */
  readonly policy?: Partial<Policy>;
  /**
   * The credentials that are let in: bearer tokens, API keys, and `user:password` of basic authentication.
   * A list turns `accepted-tokens` to `listed`, unless the policy says otherwise.
   *
   * @defaultValue any that is not empty
   */
  readonly tokens?: readonly string[];
  /** Is told of each request when it was answered. */
  readonly log?: (entry: RequestLogEntry) => void;
  /**
   * The time, in milliseconds since 1970.
   *
   * @defaultValue Date.now
   */
  readonly clock?: () => number;
  /**
   * Whether references out of the document's folder and over the network are followed.
   *
   * @defaultValue false
   */
  readonly allowReferences?: boolean;
}

/** Where a mock is to listen. */
export interface ListenOptions {
  /**
   * 0 for any that is free.
   *
   * @defaultValue 0
   */
  readonly port?: number;
  /** @defaultValue '127.0.0.1' */
  readonly host?: string;
}
