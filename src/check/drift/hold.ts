import type { CheckContext } from '../check-context.ts';
import type { Subject } from '../exchange-check.ts';
import type { Concern } from './find-concerns.ts';

/** What an exchange says of one question of the policy. */
export interface Held {
  /** What the policy says, in words. */
  readonly expected: string;
  readonly holds: boolean;
  /** What came, in words, where its status and media type do not say it. */
  readonly received?: string;
}

/** What a question is held against. */
export interface HoldInput {
  readonly subject: Subject;
  /** That of the operation. Its policy says nothing of a question that it was not told. */
  readonly context: CheckContext;
  readonly concerns: ReadonlySet<Concern>;
}

/**
 * Holds an exchange against the answer to one question; only called where that answer was told.
 *
 * @returns undefined where the exchange does not show the answer, or something else might explain what it shows
 */
export type Hold = (input: HoldInput) => Held | undefined;
