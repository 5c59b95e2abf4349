import type { ReportOptions } from '../report.ts';
import type { FindingView } from './finding-view.ts';

/** Options of a report that names places in the files of a repository. */
export interface RepositoryOptions extends ReportOptions {
  /** Returns the path of a file in the repository, with slashes; undefined for a file outside it. */
  readonly nameInRepository: (file: string) => string | undefined;
}

/** A place in a document. Its file is as the user named it. */
export interface ReportedPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** The path of the file in the repository; undefined if it is outside. */
  readonly path: string | undefined;
}

/**
 * Finds the place of the clause that a finding breaks, or else of its operation, or else the start of the document. It
 * searches the document: call it once per finding.
 */
export function findPlace(
  { clause, line, found }: Pick<FindingView, 'clause' | 'line' | 'found'>,
  { contract, nameInRepository, source }: RepositoryOptions,
): ReportedPlace | undefined {
  const operation = contract.operations.find(({ id }) => id === found.finding.operation);
  const at =
    (clause.kind === 'document' && line) || contract.locate(contract.placeOf(operation?.pointer ?? ''));
  if (at === undefined) return undefined;
  return { ...at, file: at.file === contract.source ? source : at.file, path: nameInRepository(at.file) };
}
