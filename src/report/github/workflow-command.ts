import { escapeControls } from '../../errors/console-text.ts';

/** What a workflow command of GitHub Actions says, and of which place. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** From the top of the repository on. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Marks of a terminal and what turns a text around, as they are named: a log shows them as they are. */
function showControls(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

/**
 * An annotation as a line that GitHub Actions takes for a command, whatever it says: nothing in it ends the line
 * or begins another command.
 *
 * @example
 * workflowCommand({ level: 'error', title: 'Broken', message: 'a: 1, b' });
 * // ::error title=Broken::a: 1, b
 */
export function workflowCommand({ level, title, message, file, line, column }: Annotation): string {
  const properties = { file, line, col: column, title };
  const pairs = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(showControls(String(value)))}`)
    .join(',');
  return `::${level} ${pairs}::${escapeMessage(showControls(message))}`;
}
