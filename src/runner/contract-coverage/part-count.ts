import type { Judged } from '../../check/judged.ts';
import type { KeywordTally } from './tally-schema.ts';

/** Counts, of an operation, what is sent in one part of its requests or comes in its answers. */
export interface PartCount {
  read(judged: Judged): void;
  keywords(): readonly KeywordTally[];
}
