import { describeRequest } from '../check/describe-subject.ts';
import type { Judged } from '../check/judged.ts';
import type { RunResult } from '../runner/run-event.ts';
import { plural } from './plural.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { renderCurl } from './render-curl.ts';
import { wrapText } from './wrap-text.ts';

/** More of them than this tell nobody anything. */
const mostShown = 5;

/** Where a service went down: in words, and the requests that may have brought it down. */
export interface BrokenOffWords {
  readonly sentence: string;
  readonly shown: readonly Judged[];
  /** The rest of a second sentence, empty where every request is shown. */
  readonly others: string;
}

/**
 * Says on which request the service went down, as far as that can be told.
 *
 * @returns undefined where it is still there
 */
export function describeBrokenOff({ brokenOff }: Pick<RunResult, 'brokenOff'>): BrokenOffWords | undefined {
  const [suspect] = brokenOff;
  if (suspect === undefined) {
    return undefined;
  }
  const words = describeRequest(suspect.request);
  const isOneKind = brokenOff.every(({ request }) => describeRequest(request) === words);
  const shown = isOneKind ? [suspect] : brokenOff.slice(0, mostShown);
  const others = isOneKind ? 0 : brokenOff.length - shown.length;
  return {
    shown,
    sentence: isOneKind
      ? `The service went down, it seems on ${words}.`
      : 'The service went down on one of these requests, which were under way together.',
    others: others > 0 ? ` There were ${plural(others, 'other')}.` : '',
  };
}

/** On which request the service went down, as far as that can be told; no lines where it is still there. */
export function renderBrokenOff(
  result: Pick<RunResult, 'brokenOff'>,
  surroundings: FindingSurroundings,
): readonly string[] {
  const words = describeBrokenOff(result);
  if (words === undefined) {
    return [];
  }
  const { paint, width } = surroundings;
  return [
    '',
    ...wrapText(`${paint('strong', words.sentence)}${words.others}`, { width, indent: 2 }),
    ...words.shown.map(
      ({ exchange, request }) =>
        `  ${paint('faint', 'request'.padEnd(9))} ${renderCurl(exchange.request, surroundings, { framing: request.framing })}`,
    ),
  ];
}
