import { escapeControls } from '../errors/console-text.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { ErrorCode } from '../errors/error-registry.ts';
import type { LocatedProblem } from './located-problem.ts';

/** A text that is no document at all can have a problem in each line. */
const mostListed = 50;

function toLine({ file, line, column, reason, remedy }: LocatedProblem): string {
  return escapeControls(`  ${file}:${line}:${column}: ${reason}. ${remedy}.`);
}

/**
 * A document that cannot be used, with every problem at its line and column.
 *
 * Its message is one sentence, and for several problems a list below it, one to a line.
 */
export class DocumentError extends ClocheError {
  /** In the order of the texts; at least one. */
  readonly problems: readonly LocatedProblem[];

  /**
   * @param found - the document as the user named it, and at least one problem
   */
  constructor(
    code: ErrorCode,
    found: { readonly source: string; readonly problems: readonly LocatedProblem[] },
  ) {
    const { source, problems } = found;
    const ordered = problems.toSorted(
      (a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line || a.column - b.column,
    );
    const [only] = ordered.length === 1 ? ordered : [];
    super(code, {
      attempt: 'read',
      subject: source,
      reason:
        only === undefined
          ? `it has ${ordered.length} problems`
          : `${only.file}:${only.line}:${only.column}: ${only.reason}`,
      remedy: only?.remedy ?? 'Mend each of them',
    });
    this.problems = ordered;
    if (only === undefined) {
      const more = ordered.length > mostListed ? [`  … and ${ordered.length - mostListed} more`] : [];
      this.message = [this.message, ...ordered.slice(0, mostListed).map(toLine), ...more].join('\n');
    }
  }
}
