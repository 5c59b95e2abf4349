import type { Judged } from '../check/judged.ts';
import { readEcho } from '../check/read-echo.ts';
import type { JsonValue } from '../json/json-value.ts';

function plainly(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Whether a text is no other form of the one that was sent: not that in another case, cut off, or with more around it. */
function isForeign(sent: JsonValue | undefined, received: JsonValue | undefined): boolean {
  if (typeof sent !== 'string' || typeof received !== 'string') {
    return false;
  }
  const [before, after] = [plainly(sent), plainly(received)];
  const isWithin = before.length > 2 && after.includes(before);
  return after !== '' && !before.includes(after) && !isWithin;
}

/**
 * Whether a create may have been answered with what its key stood for since last week: a service that keeps the
 * first answers so, and then nothing that it answers is what was sent.
 */
export function mayBeStored(judged: Judged): boolean {
  const echo = readEcho(judged);
  if (echo === undefined) {
    return false;
  }
  const texts = echo.names.filter((name) => typeof echo.sent[name] === 'string' && name in echo.received);
  return texts.length > 0 && texts.every((name) => isForeign(echo.sent[name], echo.received[name]));
}
