import type { ErrorCode } from '../errors/error-registry.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { DocumentError } from './document-error.ts';
import type { DocumentProblem } from './document-problem.ts';

/** A file of settings as it was read. */
export interface LocatedFile {
  readonly text: string;
  /** What it holds, its numbers exact. */
  readonly root: JsonValue;
  /**
   * The error that names problems of what it holds, each at its line and column.
   *
   * @param problems - at least one
   */
  toError(code: ErrorCode, problems: readonly DocumentProblem[]): DocumentError;
}
