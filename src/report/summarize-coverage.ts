import type { KeywordCoverage, OperationCoverage } from '../runner/operation-coverage.ts';

/** How much of something was exercised. */
export interface Share {
  readonly done: number;
  readonly of: number;
}

/** What of a contract a run exercised, in figures. */
export interface CoverageSummary {
  readonly operations: Share;
  /** Declared responses that came. */
  readonly responses: Share;
  /** Keywords of bodies and parameters that were met, and broken too. */
  readonly requestKeywords: Share;
  /** Keywords of answers that were met; whether they are broken is the service's doing. */
  readonly answerKeywords: Share;
}

/** Whether a keyword was exercised: by requests on both sides, by answers as far as they hold what it is about. */
export function isExercised({ of, met, broken }: KeywordCoverage): boolean {
  return met > 0 && (of === 'response' || broken > 0);
}

function share<T>(all: readonly T[], isDone: (one: T) => boolean): Share {
  return { done: all.filter(isDone).length, of: all.length };
}

/** Adds the coverage of all operations up. */
export function summarizeCoverage(coverage: readonly OperationCoverage[]): CoverageSummary {
  const keywords = coverage.flatMap((operation) => operation.keywords);
  return {
    operations: share(coverage, ({ requests }) => requests > 0),
    responses: share(
      coverage.flatMap(({ responses }) => responses),
      ({ seen }) => seen > 0,
    ),
    requestKeywords: share(
      keywords.filter(({ of }) => of !== 'response'),
      isExercised,
    ),
    answerKeywords: share(
      keywords.filter(({ of }) => of === 'response'),
      isExercised,
    ),
  };
}
