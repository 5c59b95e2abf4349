import type { RequestLogEntry } from '../mock/request-log-entry.ts';

/** The longest explanation that a line of the log carries, in characters. */
const longestMessage = 160;

/** Controls would move the cursor of a terminal, so they are shown as escapes. */
function printable(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- these are just what must not reach a terminal
    /[\u0000-\u001F\u007F-\u009F]/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** A request as one line: `12:30:01 POST /orders 400 1.2 ms  duplicate-key: …`. */
export function renderLogEntry(entry: RequestLogEntry): string {
  const { time, method, target, status, durationMs, condition, undeclared, message = '' } = entry;
  const clock = new Date(time).toISOString().slice(11, 19);
  const head = `${clock} ${method} ${target} ${status} ${durationMs.toFixed(1)} ms`;
  const short = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
  const why = condition === undefined ? '' : `  ${condition}: ${short}`;
  const mark = undeclared === undefined ? '' : `  (undeclared: ${undeclared})`;
  return printable(`${head}${why}${mark}`);
}
