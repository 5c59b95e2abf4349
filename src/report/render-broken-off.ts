import { describeRequest } from '../check/describe-subject.ts';
import type { RunResult } from '../runner/run-event.ts';
import { plural } from './plural.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { renderCurl } from './render-curl.ts';
import { wrapText } from './wrap-text.ts';

/** More of them than this tell nobody anything. */
const mostShown = 5;

/** On which request the service went down, as far as that can be told; no lines where it is still there. */
export function renderBrokenOff(
  { brokenOff }: RunResult,
  surroundings: FindingSurroundings,
): readonly string[] {
  const [suspect] = brokenOff;
  if (suspect === undefined) {
    return [];
  }
  const { paint, width } = surroundings;
  const words = describeRequest(suspect.request);
  const isOneKind = brokenOff.every(({ request }) => describeRequest(request) === words);
  const shown = isOneKind ? [suspect] : brokenOff.slice(0, mostShown);
  const others = isOneKind ? 0 : brokenOff.length - shown.length;
  const sentence = isOneKind
    ? `The service went down, it seems on ${words}.`
    : 'The service went down on one of these requests, which were under way together.';
  return [
    '',
    ...wrapText(
      `${paint('strong', sentence)}${others > 0 ? ` There were ${plural(others, 'other')}.` : ''}`,
      {
        width,
        indent: 2,
      },
    ),
    ...shown.map(
      ({ exchange, request }) =>
        `  ${paint('faint', 'request'.padEnd(9))} ${renderCurl(exchange.request, surroundings, { framing: request.framing })}`,
    ),
  ];
}
