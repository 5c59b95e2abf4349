import { describeRequest } from '../check/describe-subject.ts';
import type { RunResult } from '../runner/run-event.ts';
import { plural } from './plural.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { renderCurl } from './render-curl.ts';
import { wrapText } from './wrap-text.ts';

/** On which request the service went down, as far as that can be told; no lines where it is still there. */
export function renderBrokenOff(
  { brokenOff }: RunResult,
  surroundings: FindingSurroundings,
): readonly string[] {
  const [suspect, ...rest] = brokenOff;
  if (suspect === undefined) {
    return [];
  }
  const words = describeRequest(suspect.request);
  const others = rest.filter(({ request }) => describeRequest(request) !== words);
  const doubt =
    others.length === 0
      ? ''
      : ` It broke ${plural(others.length, 'other')} off as well, so it may have been another.`;
  const { paint, width } = surroundings;
  return [
    '',
    ...wrapText(`${paint('strong', `The service went down, it seems on ${words}.`)}${doubt}`, {
      width,
      indent: 2,
    }),
    `  ${paint('faint', 'request'.padEnd(9))} ${renderCurl(suspect.exchange.request, surroundings)}`,
  ];
}
