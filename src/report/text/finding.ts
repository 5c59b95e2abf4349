import type { FindingView } from '../view/finding-view.ts';
import { type Look, wrapText } from '../format.ts';

/** The column at which the text of a field begins. */
const indent = 12;

/** Renders the view of a finding as lines of text: the fault, the clause, and the commands that reproduce it. */
export function renderView(view: FindingView, { paint, width }: Look): readonly string[] {
  const { found, level } = view;
  const label = (name: string): string => `  ${paint('faint', name.padEnd(indent - 3))} `;
  const field = (name: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : wrapText(`${label(name)}${text}`, { width, indent });
  // A user pastes the command, so its line is not broken.
  const command = (name: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [`${label(name)}${text}`];

  const tone = level === 'violation' ? 'violation' : 'warning';
  const title = `${paint(tone, level.toUpperCase())} ${paint('strong', view.title)}`;
  const expiry = found.expired && `, its entry in the baseline expired on ${found.expired.expires ?? ''}`;
  const aside = `[${view.id}] ${view.operation}, seen ${view.count}×${view.confirmation}${expiry ?? ''}`;
  const next = found.sideBySide ? 'beside' : 'then';
  return [
    ...wrapText(`${title} ${paint('faint', aside)}`, { width, indent: 2 }),
    ...field('refused', view.boundary),
    ...field('expected', view.expected),
    ...view.receipts.flatMap(([name, text]) => field(name, text)),
    ...field('by', view.rule),
    ...field('although', view.although),
    ...field('verdict', view.verdict),
    ...view.requests.flatMap((curl, index) => command(index === 0 ? 'request' : next, curl)),
    ...view.elsewhere.flatMap((curl) => command('elsewhere', curl)),
    ...field('answered', view.outcomes?.join(', ')),
    ...command('replay', view.replay),
    ...field('seen', view.places),
  ];
}

/** Lists the facts of a finding besides its title, each as a line of text. */
export function listFacts({
  known,
  boundary,
  verdict,
  places,
  although,
  ...view
}: FindingView): readonly string[] {
  return [
    ...(boundary === undefined ? [] : [`refused ${boundary}`]),
    `expected ${view.expected}`,
    `received ${view.received}`,
    `by ${view.rule}`,
    ...(although === undefined ? [] : [`although ${although}`]),
    ...(verdict === undefined ? [] : [verdict]),
    ...(known === undefined ? [] : [`known, and may pass: ${known.reason}`]),
    ...(places === undefined ? [] : [`seen at ${places}`]),
  ];
}

/** The maximum length of a command beside facts. Longer requests are in other reports. */
const longestCommand = 1_000;

/** Lists the requests of a finding and its replay as commands, for reports with room for a few lines. */
export function listCommands({ requests, replay }: FindingView): readonly string[] {
  const short = requests.filter(({ length }) => length <= longestCommand);
  return [...short, ...(replay === undefined ? [] : [replay])];
}
