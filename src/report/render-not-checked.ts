import type { Conclusions, NotChecked } from '../runner/run-event.ts';
import type { FindingSurroundings } from './render-finding.ts';
import { wrapText } from './wrap-text.ts';

/** Whether something is missing where this was not checked. */
export function isApplicable({ notApplicable, reason }: NotChecked): boolean {
  // What names an operation says what that operation is in want of.
  return notApplicable !== true || reason.includes(': ');
}

function groupByReason(entries: readonly NotChecked[]): readonly string[] {
  const reasons = new Set(entries.map(({ reason }) => reason));
  return [...reasons].map((reason) => {
    const what = entries.filter((entry) => entry.reason === reason).map((entry) => entry.what);
    return `  ${what.join(', ')}: ${reason}`;
  });
}

/**
 * What was not checked for want of something, and what the document gives no occasion for.
 *
 * @param options.replayed - the property that was replayed, `suite/property`; the rest of what was left out
 *   has nothing to do with it
 */
export function renderNotChecked(
  result: Pick<Conclusions, 'notChecked'>,
  options: Pick<FindingSurroundings, 'paint' | 'width'> & { readonly replayed: string | undefined },
): readonly string[] {
  const { paint, width, replayed } = options;
  const entries = result.notChecked.filter(({ what }) => replayed === undefined || what === replayed);
  const wanting = groupByReason(entries.filter(isApplicable));
  const idle = entries
    .filter((entry) => !isApplicable(entry))
    .map(({ what, reason }) => `${what} (${reason})`);
  return [
    ...(wanting.length === 0 ? [] : ['', 'Not checked:']),
    ...wanting.flatMap((line) => wrapText(line, { width, indent: 4 })),
    ...(idle.length === 0 ? [] : ['']),
    ...(idle.length === 0
      ? []
      : wrapText(`Not applicable: ${idle.join(', ')}`, { width, indent: 2 }).map((line) =>
          paint('faint', line),
        )),
  ];
}
