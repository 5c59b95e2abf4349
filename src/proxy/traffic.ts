import type { Exchange } from '../http/exchange.ts';
import type { Framing } from '../http/send.ts';
import type { Judged } from '../check/judged.ts';
import type { TrafficResult } from '../runner/traffic-event.ts';

/** An exchange that somebody else made. */
export interface Traffic {
  /** Counts from 1, in the order in which the requests were seen. */
  readonly number: number;
  /**
   * Where it is found, in words: `entry 3 of session.har`.
   *
   * @defaultValue `exchange` and its number
   */
  readonly place?: string;
  readonly exchange: Exchange;
  /**
   * How the content of the request was framed.
   *
   * @defaultValue 'content-length'
   */
  readonly framing?: Framing;
  /** When the request was seen, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether another request was under way meanwhile; keys that both name may then be taken by either. */
  readonly isSideBySide: boolean;
  /**
   * Whether credentials may have been there that are not shown, as browsers leave them out of what they record.
   *
   * @defaultValue false
   */
  readonly mayHideCredentials?: boolean;
  /** Why it cannot be judged, in words, as far as the one who saw it knows: `its body is longer than 1 MiB`. */
  readonly unjudged: string | undefined;
}

/** Judges traffic as it passes; what it concludes goes to the reports, as in a run. */
export interface TrafficJudge {
  /** @returns how it was judged; undefined where it could not be, which is counted */
  read(traffic: Traffic): Judged | undefined;
  /** Tells the reports that this was all. */
  end(): TrafficResult;
}
