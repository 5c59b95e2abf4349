import { createRedactor } from '../http/redact.ts';
import { type CollectedRun, createEndReport } from './collect.ts';
import { type FaultView, viewFaults } from './view/finding-view.ts';
import { findPlace, type RepositoryOptions } from './view/place.ts';
import type { Report } from './report.ts';
import { plural } from './format.ts';
import { listFacts } from './text/finding.ts';
import { describeFigures, escapeMarkdown, foldMarkdown, renderCommands } from './text/markdown.ts';
import { renderVerdict } from './text/summary.ts';
import { judgeRun } from './text/verdict.ts';

/** GitHub limits a comment to 65,536 characters. This leaves room for the sentence on the faults that are left out. */
const mostCharacters = 65_000;
const longestCommand = 4_000;
const longestFact = 1_000;
const mostOthers = 20;

/**
 * Creates the report for a comment on a pull request: Markdown that is short at first sight. Its first line is a comment
 * with the title of the document, by which an action finds the comment that it updates.
 */
export function createMarkdownReport(options: RepositoryOptions): Report {
  return createEndReport(options, (run) => options.write(renderComment(run, options)));
}

/** Renders the Markdown of a run: the verdict, figures, and its faults in folds. */
export function renderComment(run: CollectedRun, options: RepositoryOptions): string {
  const { text } = createRedactor(options.secrets);
  const { contract, target } = run.started;
  const { isWhole, why } = run.end;
  const faults = viewFaults(run.result.findings, options);
  const failing = faults.filter(({ first }) => first.fails);
  const others = faults.filter(({ first }) => !first.fails);
  const verdict = renderVerdict(run, { ...options, isWhole });
  const gone = run.result.gone.map(({ id }) => escapeMarkdown(id));
  const mark = judgeRun(run.result, isWhole, options).passes ? '✅' : '❌';
  const title = text(contract.title);
  const subject = text(`${title} ${contract.version} (${options.source}) on ${target}`);
  const head = [
    // No text of a document ends the comment.
    `<!-- cloche: ${title.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} -->`,
    `### ${mark} ${escapeMarkdown(`Cloche: ${verdict}`)}`,
    escapeMarkdown(`${subject}: ${describeFigures(run)}.`),
    ...(why === undefined ? [] : [escapeMarkdown(text(why))]),
    renderCounts(run, options),
    ...(gone.length === 0 ? [] : [`No longer found, so the baseline need not list it: ${gone.join(', ')}`]),
  ].join('\n\n');
  return joinWithin(`${head}\n\n`, [
    ...failing.map((fault) => ({ text: renderFault(fault, options), faults: 1 })),
    ...(others.length === 0 ? [] : [{ text: renderOthers(others), faults: others.length }]),
  ]);
}

interface Piece {
  readonly text: string;
  readonly faults: number;
}

/** Joins the beginning and the pieces that fit, and says how many faults the others have. */
function joinWithin(beginning: string, pieces: readonly Piece[]): string {
  let whole = beginning;
  let left = 0;
  for (const { text, faults } of pieces) {
    if (whole.length + text.length > mostCharacters) {
      left += faults;
    } else {
      whole += text;
    }
  }
  const words = `${plural(left, 'more fault')} in the other reports; a comment has no room for more.`;
  return left === 0 ? whole : `${whole}${words}\n`;
}

function renderCounts(run: CollectedRun, options: RepositoryOptions): string {
  const { violations, warnings, known, succeeded } = judgeRun(run.result, run.end.isWhole, options);
  const cells = [violations, warnings, known, `${succeeded.done} of ${succeeded.of}`];
  return [
    '| violations | warnings | known | operations answered with a success |',
    '| ---: | ---: | ---: | ---: |',
    `| ${cells.join(' | ')} |`,
  ].join('\n');
}

function shorten(text: string): string {
  return text.length > longestFact ? `${text.slice(0, longestFact)}…` : text;
}

function renderFault({ first: view, also }: FaultView, options: RepositoryOptions): string {
  const place = findPlace(view, options);
  const facts = [
    ...(place === undefined ? [] : [`at ${place.path ?? place.file}:${place.line}`]),
    ...listFacts(view),
    ...(also.length === 0 ? [] : [`also ${also.join(', ')}`]),
  ];
  return foldMarkdown(shorten(`${view.operation}: ${view.title} (${view.id})`), [
    facts.map((fact) => `- ${escapeMarkdown(shorten(fact))}`).join('\n'),
    renderCommands(view, longestCommand),
  ]);
}

/** Renders the findings that do not fail the run, a line for each. */
function renderOthers(faults: readonly FaultView[]): string {
  const lines = faults.slice(0, mostOthers).map(({ first: { operation, title, known, id, level } }) => {
    const words = known === undefined ? level : `known: ${known.reason}`;
    return `- ${escapeMarkdown(shorten(`${operation}: ${title} (${id}), ${words}`))}`;
  });
  const left = faults.length - lines.length;
  return foldMarkdown(`${plural(faults.length, 'fault')} that may pass`, [
    [...lines, ...(left === 0 ? [] : [`- ${left} more in the other reports`])].join('\n'),
  ]);
}
