import { escapeControls } from '../errors/console-text.ts';
import { createRedactor } from '../http/redact.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { plural, receivedBytes, showBytes } from './format.ts';
import type { Report } from './report.ts';
import { listFacts } from './text/finding.ts';
import { describeFigures, fenceCode, renderCommands } from './text/markdown.ts';
import { renderVerdict } from './text/summary.ts';
import { renderExport } from './view/curl-lines.ts';
import { type FaultView, type FindingView, viewFaults } from './view/finding-view.ts';
import { findPlace, type RepositoryOptions } from './view/place.ts';

/** The number of causes with all their facts; a reader fixes them, and runs again. */
const mostCauses = 10;
const longestCommand = 4_000;
const longestFact = 1_000;

/** Creates the report for a coding agent: short Markdown with the verdict, and each cause, warnings last. */
export function createAgentReport(options: RepositoryOptions): Report {
  return createEndReport(options, (run) => options.write(renderForAgent(run, options)));
}

/** Renders the verdict of a run in a line, then its subject and size, and why it is incomplete. */
export function renderVerdictForAgent(run: CollectedRun, options: RepositoryOptions): string {
  const { text } = createRedactor(options.secrets);
  const { started, end } = run;
  const { title, version } = started.contract;
  const subject = text(`${title} ${version} (${options.source}) on ${started.target}`);
  return [
    `# ${toLine(renderVerdict(run, { ...options, isWhole: end.isWhole }))}`,
    `${toCode(subject)}: ${describeFigures(run)}.`,
    ...(end.why === undefined ? [] : [toCode(text(end.why))]),
  ].join('\n\n');
}

/** Lists faults, a line for each: the id, the level, the operation and the title. */
export function listForAgent(faults: readonly FaultView[]): string {
  return faults
    .map(({ first: { id, level, operation, title, known }, others }) => {
      const aside = known === undefined ? level : `known: ${known.reason}`;
      const more = others.length === 0 ? '' : ` (also ${others.map((other) => other.id).join(', ')})`;
      return `- \`${id}\` ${toCode(`${operation}: ${title}`)} ${known === undefined ? aside : toCode(aside)}${more}`;
    })
    .join('\n');
}

/**
 * Renders a finding: its cause, the line of the document with the clause, the facts, the smallest request, the response
 * and the command that replays it. The words of a service are only inside blocks of code.
 */
export function renderFindingForAgent(view: FindingView, options: RepositoryOptions): string {
  const place = findPlace(view, options);
  const facts = [
    ...(place === undefined ? [] : [`look at ${place.path ?? place.file}:${place.line}`]),
    ...listFacts(view),
    ...view.receipts.filter(([name]) => name !== 'received').map(([name, text]) => `${name} ${text}`),
    ...describeBody(view, options),
  ];
  const command = renderExport(view.requests, options.secretMeanings, options.shell);
  return [
    `## ${toCode(`${view.operation}: ${view.title}`)} (\`${view.id}\`, ${view.level})`,
    fenceCode(facts.map((fact) => toLine(shorten(fact)))),
    ...(command === undefined ? [] : [`Set this before the request:\n\n${fenceCode([command])}`]),
    renderCommands(view, longestCommand),
  ].join('\n\n');
}

/** Returns the content of the response, if it is a text. */
function describeBody({ found }: FindingView, { secrets }: RepositoryOptions): readonly string[] {
  const bytes = receivedBytes(found.exchange.exchange.answer);
  const { encoding, text } = showBytes(bytes, createRedactor(secrets));
  return text === '' || encoding !== 'utf-8' ? [] : [`response body ${text}`];
}

/** Renders a run: the verdict, the causes that fail it, the warnings that do not, and the ids of the others. */
function renderForAgent(run: CollectedRun, options: RepositoryOptions): string {
  const faults = viewFaults(run.result.findings, options);
  const failing = faults.filter(({ first }) => first.fails);
  const warnings = faults.filter(({ first: { fails, known } }) => !fails && known === undefined);
  const shown = warnings.slice(0, Math.max(0, mostCauses - failing.length));
  const others = faults.filter(({ first: { known } }) => known !== undefined);
  const list = (title: string, some: readonly FaultView[]): readonly string[] =>
    some.length === 0 ? [] : [`## ${title}`, listForAgent(some)];
  return `${[
    renderVerdictForAgent(run, options),
    ...failing.slice(0, mostCauses).map(({ first }) => renderFindingForAgent(first, options)),
    ...list(
      `${plural(failing.length - mostCauses, 'more cause')} to fix after these`,
      failing.slice(mostCauses),
    ),
    ...(shown.length === 0
      ? []
      : ['The warnings below do not fail the run, unless it is started with `--strict`.']),
    ...shown.map(({ first }) => renderFindingForAgent(first, options)),
    ...list(plural(warnings.length - shown.length, 'more warning'), warnings.slice(shown.length)),
    ...list(`${plural(others.length, 'known fault')} that may pass`, others),
  ].join('\n\n')}\n`;
}

/** Returns a text as a code span, in which Markdown has no meaning (CommonMark §6.1). */
function toCode(text: string): string {
  return `\`${toLine(shorten(text)).replaceAll('`', "'")}\``;
}

function toLine(text: string): string {
  return escapeControls(text.replaceAll(/[\n\r\t]/gu, ' '));
}

function shorten(text: string): string {
  return text.length > longestFact ? `${text.slice(0, longestFact)}…` : text;
}
