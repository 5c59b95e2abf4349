import type { Delay } from './fault-rule.ts';

/** An hour: whoever waits longer waits for nothing. */
const longestDelay = 3_600_000;

/** Whether a number of milliseconds can be waited for. */
export function isDelayTime(time: unknown): time is number {
  return typeof time === 'number' && time >= 0 && time <= longestDelay;
}

/**
 * Reads a delay as it is written on a command line or in a header field: `200`, or `200..400` for a range, in
 * milliseconds.
 *
 * @returns undefined where it is none
 */
export function parseDelay(text: string): Delay | undefined {
  const [, first, last] = /^(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?$/u.exec(text.trim()) ?? [];
  const from = Number(first ?? Number.NaN);
  if (last === undefined) {
    return isDelayTime(from) ? from : undefined;
  }
  const to = Number(last);
  return isDelayTime(from) && isDelayTime(to) && from <= to ? [from, to] : undefined;
}
