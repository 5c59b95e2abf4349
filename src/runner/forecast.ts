/** When a run says how long it will take, in milliseconds. A run that is over by then needs no forecast. */
const saysAfterMs = 10_000;

/** What a forecast is made from. Times are in milliseconds of `performance.now`. */
interface Progress {
  readonly startedAt: number;
  readonly now: number;
  readonly requests: number;
  /** The maximum number of requests in the run. */
  readonly most: number;
}

/**
 * Returns how long a run with slow responses will take, as a sentence for its user; undefined if it is too early to say,
 * or if less than the time until now is left.
 */
export function forecast({ startedAt, now, requests, most }: Progress): string | undefined {
  const elapsedMs = now - startedAt;
  if (elapsedMs < saysAfterMs || requests === 0) return undefined;
  const leftMs = ((most - requests) * elapsedMs) / requests;
  if (leftMs < elapsedMs) return undefined;
  const [sent, all] = [requests, most].map((count) => count.toLocaleString('en-US'));
  return `${sent} of up to ${all} requests in ${Math.round(elapsedMs / 1_000)} s: up to ${inWords(leftMs)} more. --max-time 60 ends the run after a minute, --runs 10 sends fewer cases.`;
}

/** Returns a time as words: `40 s`, `7 min`, `1 h 20 min`. */
function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
