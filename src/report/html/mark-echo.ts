import type { Finding } from '../../check/finding.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { locateValues, type TextRange } from '../../json/locate-values.ts';
import type { ExchangeMarks } from './exchange-marks.ts';
import { markDifference } from './mark-difference.ts';

/** Moves a stretch of a value to where the value stands. */
function move({ start, end }: TextRange, by: number): TextRange {
  return { start: start + by, end: end + by };
}

/** What the answer of a create has instead of what was sent: characters of a text, a value, or nothing. */
export function markEcho({ cause }: Finding, text: { sent: string; received: string }): ExchangeMarks {
  const name = cause.replace(/ (?:missing|changed)$/u, '');
  const pointer = appendPointer('', name);
  const [sent] = locateValues(text.sent, [pointer]);
  const [received] = locateValues(text.received, [pointer]);
  if (sent === undefined || received === undefined) {
    return {
      request: { body: sent === undefined ? [] : [sent.member] },
      answer: { body: received === undefined ? [] : [received.member] },
    };
  }
  const difference = markDifference({
    sent: text.sent.slice(sent.value.start, sent.value.end),
    received: text.received.slice(received.value.start, received.value.end),
  });
  return {
    request: { body: difference.sent.map((range) => move(range, sent.value.start)) },
    answer: { body: difference.received.map((range) => move(range, received.value.start)) },
  };
}
