import { escapeControls } from '../../errors/console-text.ts';
import type { CollectedRun } from '../collect.ts';
import type { FindingView } from '../view/finding-view.ts';
import { plural } from '../format.ts';
import { describeTraffic } from './verdict.ts';

/**
 * Characters with a meaning within a line of Markdown, HTML, formulas or emoji on GitHub. A backslash makes each a
 * literal character (CommonMark §2.4).
 */
const marks = /[\\`*_{}[\]<>#+!|~&$:@]/gu;

/** Escapes a text for Markdown, on one line: it also fits into a cell of a table. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text.replaceAll(/[\n\r\t]/gu, ' ')).replaceAll(marks, String.raw`\$&`);
}

/** Returns lines as a code block. Its fence is longer than any in the lines. */
export function fenceCode(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}\n${fence}`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Renders paragraphs that are shown when a reader opens their title. The title is a text, the paragraphs are Markdown. */
export function foldMarkdown(title: string, paragraphs: readonly string[]): string {
  // Inside an HTML block a backslash escapes nothing (CommonMark §4.6).
  const line = escapeControls(title.replaceAll(/[\n\r\t]/gu, ' '));
  const shown = line.replaceAll(/[&<>]/gu, (mark) => entities[mark] ?? '');
  return [`<details><summary>${shown}</summary>`, ...paragraphs, '</details>', ''].join('\n\n');
}

/** Renders the requests of a finding and its replay as a code block. Requests longer than `longest` are omitted. */
export function renderCommands({ requests, replay }: FindingView, longest: number): string {
  const isShort = requests.every((curl) => curl.length <= longest);
  const more = replay === undefined ? '' : '; the replay shows it';
  const curls = isShort ? requests : [`# The request is too long to be shown here${more}.`];
  return fenceCode([...curls, ...(replay === undefined ? [] : [replay])]);
}

/** Returns the size of a run, or of traffic, in words: `143 properties, 5,012 requests in 12.3 s, seed 7`. */
export function describeFigures(run: CollectedRun): string {
  if (run.kind === 'traffic') return describeTraffic(run.result);
  const { properties, requests, durationMs, seed } = run.result;
  const took = `${plural(requests, 'request')} in ${(durationMs / 1_000).toFixed(1)} s`;
  return `${plural(properties.length, 'property', 'properties')}, ${took}, seed ${seed}`;
}
