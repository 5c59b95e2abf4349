import type { FoundCause, RunResult } from '../runner/run-event.ts';
import { findingTitles } from './finding-words.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { wrapText } from './wrap-text.ts';

type Surroundings = Pick<FindingSurroundings, 'paint' | 'width'>;

function renderKnown(
  { id, finding, count, known }: FoundCause,
  { paint, width }: Surroundings,
): readonly string[] {
  const until = known?.expires === undefined ? '' : `, until ${known.expires}`;
  const reason = known?.reason ?? 'no reason is given';
  return [
    ...wrapText(
      `  ${paint('faint', finding.level)} ${findingTitles[finding.check]} ${paint('faint', `[${id}] ${finding.operation}, seen ${count}×`)}`,
      { width, indent: 4 },
    ),
    ...wrapText(`    ${reason}${paint('faint', until)}`, { width, indent: 4 }),
  ];
}

/** What of the findings the baseline knows, and what of the baseline was not found any more. */
export function renderBaseline(
  { findings, gone }: { readonly findings: readonly FoundCause[] } & Pick<RunResult, 'gone'>,
  surroundings: Surroundings,
): readonly string[] {
  const known = findings.filter((found) => found.known !== undefined);
  const { paint, width } = surroundings;
  const lost = gone.flatMap(({ id, title }) =>
    wrapText(`  ${id}${title === undefined ? '' : ` ${paint('faint', title)}`}`, { width, indent: 4 }),
  );
  return [
    ...(known.length === 0 ? [] : ['', 'Known, and let pass by the baseline:']),
    ...known.flatMap((found) => renderKnown(found, surroundings)),
    ...(lost.length === 0 ? [] : ['', 'No longer seen, so take them out of the baseline:']),
    ...lost,
  ];
}
