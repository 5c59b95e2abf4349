import type { Exchange } from '../http/exchange.ts';
import type { Judged } from '../check/judged.ts';
import type { RunResult } from '../runner/run-event.ts';

/** An exchange that somebody else made. */
export interface Traffic {
  /** Counts from 1, in the order in which the requests were seen. */
  readonly number: number;
  readonly exchange: Exchange;
  /** When the request was seen, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether another request was under way meanwhile; keys that both name may then be taken by either. */
  readonly isSideBySide: boolean;
  /** Why it cannot be judged, in words, as far as the one who saw it knows: `its body is longer than 1 MiB`. */
  readonly unjudged: string | undefined;
}

/** Judges traffic as it passes; what it concludes goes to the reports, as in a run. */
export interface TrafficJudge {
  /** @returns how it was judged; undefined where it could not be, which is counted */
  read(traffic: Traffic): Judged | undefined;
  /** Tells the reports that this was all. */
  end(): RunResult;
}
