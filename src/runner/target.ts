import type { HeaderList } from '../http/header-list.ts';
import type { Send } from '../http/send.ts';
import type { HeldPolicy } from '../policy/hold-policy.ts';

/** What is tested, and what is known of it. */
export interface Target extends HeldPolicy {
  /** In words: the base URL, or `the in-process mock`. */
  readonly name: string;
  readonly send: Send;
  /** Sends over a raw socket; undefined where there is no connection. */
  readonly socketSend: Send | undefined;
  /** What curl lines name. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
  /** What no report may show. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}
