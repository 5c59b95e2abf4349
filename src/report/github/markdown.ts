import { escapeControls } from '../../errors/console-text.ts';

/**
 * What Markdown and GitHub take for a mark within a line, HTML, formulas and emoji included (CommonMark §2.4: a
 * backslash makes each of them a character like others).
 */
const marks = /[\\`*_{}[\]<>#+!|~&$:@]/gu;

/** A text that Markdown shows as it is, on one line, so that it fits into a cell of a table too. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text.replaceAll(/[\n\r\t]/gu, ' ')).replaceAll(marks, String.raw`\$&`);
}

/** Lines as a block of code; its fence is longer than any in it. */
export function fenceCode(lines: readonly string[]): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...(text.match(/`+/gu) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}console\n${text}\n${fence}`;
}
