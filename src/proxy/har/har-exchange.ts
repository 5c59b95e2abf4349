import type { Exchange } from '../../http/exchange.ts';

/** An entry of a HAR file, read. */
export interface HarExchange {
  /** Where it stands, in words: `entry 3 of session.har`. */
  readonly place: string;
  /** Scheme and authority, in lower case, without a usual port: `https://api.example.com`. */
  readonly origin: string;
  /** The target of its request is the whole path and query. */
  readonly exchange: Exchange;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Why it cannot be judged, in words, as far as the entry says. */
  readonly unjudged: string | undefined;
}
