import type { HeaderList } from '../http/header-list.ts';
import type { Send } from '../http/send.ts';
import type { Policy } from '../policy/policy.ts';

/** What is tested, and what is known of it. */
export interface Target {
  /** In words: the base URL, or `the in-process mock`. */
  readonly name: string;
  readonly send: Send;
  /** Sends over a raw socket; undefined where there is no connection. */
  readonly socketSend: Send | undefined;
  /** What curl lines name. */
  readonly baseUrl: string;
  readonly policy: Policy;
  /** Whether the service is held to every answer of the policy. */
  readonly told: boolean;
  /** What a create that does not answer with what was sent is worth; undefined where it is not judged. */
  readonly echo: 'violation' | 'advice' | undefined;
  readonly token: string | undefined;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  /** What no report may show. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}
