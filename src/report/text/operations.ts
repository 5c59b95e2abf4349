import type { FoundCause, NotChecked, OperationCoverage, RunResult } from '../../events/events.ts';
import type { LatencyResult } from '../../events/latency.ts';
import { groupBy } from '../collect.ts';
import { type Look, plural, underHeading, wrapFaint, wrapText } from '../format.ts';

/** Up to this number, every operation has a line; above it, only those with findings or gaps. */
const mostRows = 20;
/** The maximum number of listed operations with findings or gaps, if there are more operations. */
const mostOpen = 10;
/** The maximum width of the name column; a longer name shifts the text after it. */
const widestName = 34;
const mostStatuses = 5;

const marks = {
  broken: ['violation', '✗', 'with violations'],
  warned: ['warning', '!', 'with warnings'],
  open: ['warning', '–', 'not exercised in full'],
  held: ['good', '✓', 'in order'],
} as const;

type Row = readonly [mark: keyof typeof marks, name: string, words: string];

/** Renders a line for each operation of a run: its statuses, and whether something is open or wrong. */
export function renderOperations(
  { coverage, findings, properties }: Pick<RunResult, 'coverage' | 'findings' | 'properties'>,
  look: Look,
): readonly string[] {
  const levels = (wanted: string): ReadonlySet<string> =>
    new Set(
      findings.flatMap(({ finding: { operation, level }, known }: FoundCause) =>
        level === wanted && known === undefined ? [operation] : [],
      ),
    );
  const broken = levels('violation');
  const warned = levels('warning');
  const cut = properties.filter(({ verdict }) => verdict === 'cut-off' || verdict === 'given-up');
  const rows = coverage.map((one): Row => {
    const { operation, accepted, requests } = one;
    const ended = cut.filter(({ property }) => property.startsWith(`${operation}.`)).length;
    let mark: Row[0] = one.isUntested === true || accepted === 0 || ended > 0 ? 'open' : 'held';
    if (warned.has(operation)) mark = 'warned';
    if (broken.has(operation)) mark = 'broken';
    const words = [
      one.isUntested === true
        ? `NOT TESTED: ${one.reason ?? 'no valid request was sent'}`
        : `${plural(requests, 'request')}${accepted === 0 ? ', no success' : ''}: ${listStatuses(one)}`,
      ...(ended === 0 ? [] : [`${plural(ended, 'property', 'properties')} cut off`]),
    ];
    return [mark, operation, words.join('; ')];
  });
  const isShort = rows.length <= mostRows;
  const shown = isShort ? rows : rows.filter(([mark]) => mark !== 'held').slice(0, mostOpen);
  const width = Math.min(widestName, Math.max(0, ...shown.map(([, name]) => name.length)));
  return [
    ...shown.map(([mark, name, words]) => renderRow([mark, name.padEnd(width), words], look)),
    ...Object.entries(marks).flatMap(([mark, [, , words]]) => {
      const count = isShort ? 0 : rows.filter((row) => row[0] === mark && !shown.includes(row)).length;
      const others = plural(count, mark === 'held' && shown.length === 0 ? 'operation' : 'other');
      // `as`: `Object.entries` loses the type of the keys.
      return count === 0 ? [] : [renderRow([mark as Row[0], others, words], look)];
    }),
  ];
}

function renderRow([mark, name, words]: Row, { paint, width }: Look): string {
  const [tone, sign] = marks[mark];
  const room = width === undefined ? words.length : Math.max(12, width - name.length - 6);
  const fitting = words.length <= room ? words : `${words.slice(0, room - 1)}…`;
  return `  ${paint(tone, sign)} ${name}  ${paint('faint', fitting)}`;
}

/** Lists the count of each status, the most frequent first. */
function listStatuses({ responses, undeclared }: OperationCoverage): string {
  const seen = [...responses, ...undeclared.map(({ status, seen: count }) => ({ status, seen: count }))]
    .filter(({ seen: count }) => count > 0)
    .toSorted((left, right) => right.seen - left.seen);
  const shown = seen
    .slice(0, mostStatuses)
    .map(({ status, seen: count }) => `${status} ${count.toLocaleString('en-US')}×`);
  return [...shown, ...(seen.length > mostStatuses ? ['…'] : [])].join(', ') || 'no answer';
}

/** Names the operations without a valid request, and the most frequent reason; undefined if there are none. */
export function describeUntested(coverage: readonly OperationCoverage[]): string | undefined {
  const untested = coverage.filter(({ isUntested }) => isUntested === true);
  const [first] = rankReasons(untested);
  if (first === undefined) return undefined;
  return `not tested: ${listSome(untested.map(({ operation }) => operation))} (${first[0]})`;
}

/** Groups operations by their reason, the most frequent reason first. */
function rankReasons(
  operations: readonly OperationCoverage[],
): readonly (readonly [reason: string, operations: readonly OperationCoverage[]])[] {
  const groups = groupBy(operations, ({ reason = 'the reason is not known' }) => reason);
  return [...groups].toSorted(([, left], [, right]) => right.length - left.length);
}

/** The maximum number of listed names and reasons; the others are only counted. */
const mostNames = 3;
const mostReasons = 4;
/** The maximum number of operations whose response times are listed. */
const mostTimes = 10;

/** Lists some names and the number of the others: `a, b, c and 34 others`. */
export function listSome(names: readonly string[], most: number = mostNames): string {
  const others = names.length - most;
  return others <= 1 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${others} others`;
}

/** Renders the operations without a success, by remedy; nothing if there are none. */
export function renderNeverAnswered(coverage: readonly OperationCoverage[], look: Look): readonly string[] {
  const never = coverage.filter(({ accepted }) => accepted === 0);
  if (never.length === 0) return [];
  const ranked = rankReasons(never);
  const rest = ranked.slice(mostReasons).flatMap(([, operations]) => operations);
  const lines = [
    ...ranked
      .slice(0, mostReasons)
      .map(([reason, all]) => `  ${listSome(all.map(({ operation }) => operation))}: ${reason}`),
    ...(rest.length === 0 ? [] : [`  ${plural(rest.length, 'other')}, which --coverage tells of`]),
  ];
  const heading = `${never.length} of ${plural(coverage.length, 'operation')} never answered with a success:`;
  return [
    '',
    look.paint('warning', heading),
    ...lines.flatMap((line) => wrapText(line, { ...look, indent: 4 })),
  ];
}

/** Renders a line for each reason why something was not checked; of long lists only the first entries. */
export function renderFewNotChecked(
  groups: readonly (readonly [reason: string, what: readonly string[]])[],
  look: Look,
): readonly string[] {
  const lines = groups.slice(0, mostReasons).map(([reason, what]) => {
    // One reason may list the missing prerequisites of many operations.
    const parts = reason.split('; ');
    const short =
      parts.length > 3 ? `${parts.slice(0, 2).join('; ')}; and ${parts.length - 2} others` : reason;
    return isSentence(reason) ? reason : `Not checked: ${listSome(what)}: ${short}`;
  });
  const others = groups.length - mostReasons;
  const rest = others > 0 ? [`Not checked for ${plural(others, 'other reason')}, which --verbose lists`] : [];
  return [...lines, ...rest].flatMap((line) => wrapFaint(line, { ...look, indent: 2 }));
}

/** Renders the response times of the slowest operations as a table. */
export function renderLatency({ operations, limitMs }: LatencyResult, look: Look): readonly string[] {
  const shown = operations.slice(0, mostTimes);
  const rows = [
    ['', 'p50', 'p95', 'p99', 'max'],
    ...shown.map(({ operation, p50, p95, p99, max }) => [
      operation,
      ...[p50, p95, p99, max].map((ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2),
      )
      .join(''),
  );
  const limit = limitMs === undefined ? '' : `, of ${limitMs} allowed`;
  const others = operations.length - shown.length;
  const rest = others > 0 ? [`and ${plural(others, 'faster operation')}`] : [];
  return shown.length === 0
    ? []
    : underHeading(
        `Response times in ms${limit}:`,
        [...lines, ...rest].map((line) => `  ${line}`),
        look,
      );
}

/** Renders the items that a run could not delete, in one line; nothing if there are none. */
export function renderLeftBehind(entries: readonly NotChecked[], look: Look): readonly string[] {
  const items = entries.flatMap(({ isLeftBehind, reason }) => (isLeftBehind ? [reason] : []));
  return items.length === 0 ? [] : wrapFaint(`Left behind: ${listSome(items)}.`, { ...look, indent: 2 });
}

/** Returns whether a reason names its subject and is printed alone. */
export function isSentence(reason: string): boolean {
  return reason.endsWith('.');
}

/** Groups what was not checked by reason. */
export function groupNotChecked(
  entries: readonly NotChecked[],
): readonly (readonly [reason: string, what: readonly string[]])[] {
  const groups = groupBy(
    entries.filter(({ isLeftBehind }) => isLeftBehind !== true),
    ({ reason }) => reason,
  );
  return [...groups].map(([reason, alike]) => [reason, alike.map(({ what }) => what)]);
}
