import type { DataReport } from '../mock/state/data-report.ts';

/** More rows than these are not named one by one. */
const mostNamed = 10;

function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** Says what became of data to start from, a line each. */
export function describeData(report: DataReport | undefined): readonly string[] {
  if (report === undefined) {
    return [];
  }
  const { added, present, replaced, removed, left, short } = report;
  const said = [
    added > 0 ? `${countRows(added)} added` : '',
    replaced > 0 ? `${countRows(replaced)} replaced` : '',
    removed > 0 ? `${countRows(removed)} taken away` : '',
    present > 0 ? `${countRows(present)} there already` : '',
    left.length > 0 ? `${countRows(left.length)} left out` : '',
  ].filter((text) => text !== '');
  const named = left
    .slice(0, mostNamed)
    .map(
      ({ collection, index, place, reason }) => `  ${place ?? `${collection}, row ${index + 1}`}: ${reason}`,
    );
  return [
    `The data to start from: ${said.length === 0 ? 'no rows' : said.join(', ')}.`,
    ...named,
    ...(left.length > mostNamed ? [`  and ${left.length - mostNamed} more`] : []),
    ...short.map(
      ({ collection, made, wanted }) =>
        `  ${collection}: only ${made} of ${wanted} were made up, as no more were found that differ and that it takes`,
    ),
  ];
}
