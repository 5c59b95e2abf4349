import type { Judged } from '../check/judged.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Conclusions, FoundCause } from './run-event.ts';

/** A finding of traffic that somebody else made. It is not sent again, so that nothing confirms or replays it. */
export interface TrafficFinding extends FoundCause {
  /** Where it was seen, in words: `exchange 12`, `entry 3 of session.har`. */
  readonly seenAt: {
    readonly first: string;
    readonly last: string;
    /** The one that is shown. */
    readonly example: string;
  };
}

/** Exchanges that could not be judged for one reason. */
export interface Unjudged {
  /** In words: `its path is not in the document`. */
  readonly reason: string;
  readonly count: number;
  /** Where the first of them was seen. */
  readonly first: string;
}

/** What traffic came to. */
export interface TrafficResult extends Conclusions {
  readonly findings: readonly TrafficFinding[];
  readonly judged: number;
  /** The most frequent reason first. */
  readonly unjudged: readonly Unjudged[];
}

/** What happens while traffic is judged, in order; reports read nothing else of it. */
export type TrafficEvent =
  | {
      readonly kind: 'traffic-started';
      /** The base URL. */
      readonly target: string;
      /** What the traffic is, in words: `proxy on http://127.0.0.1:4011`, `session.har`. */
      readonly from: string;
      readonly contract: { readonly title: string; readonly version: string; readonly source: string };
    }
  | {
      readonly kind: 'traffic-exchange';
      readonly place: string;
      /** Credentials are hidden in it. */
      readonly judged: Judged;
      /** When the request was seen, in milliseconds since 1970. */
      readonly startedAt: number;
    }
  | {
      readonly kind: 'traffic-unjudged';
      readonly place: string;
      readonly reason: string;
      /** As far as it was seen, with credentials hidden. */
      readonly exchange: Exchange;
      readonly startedAt: number;
    }
  | { readonly kind: 'traffic-finding'; readonly finding: TrafficFinding }
  | { readonly kind: 'traffic-finished'; readonly result: TrafficResult };
