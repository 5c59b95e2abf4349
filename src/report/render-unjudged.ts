import type { TrafficResult } from '../runner/traffic-event.ts';
import { plural } from './plural.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { wrapText } from './wrap-text.ts';

/** The exchanges that could not be judged, by the reason. */
export function renderUnjudged(
  { unjudged }: Pick<TrafficResult, 'unjudged'>,
  { paint, width }: Pick<FindingSurroundings, 'paint' | 'width'>,
): readonly string[] {
  return unjudged.length === 0
    ? []
    : [
        '',
        'Not judged:',
        ...unjudged.flatMap(({ reason, count, first }) =>
          wrapText(`  ${plural(count, 'exchange')}: ${reason} ${paint('faint', `(the first: ${first})`)}`, {
            width,
            indent: 4,
          }),
        ),
      ];
}
