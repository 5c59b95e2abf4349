import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';

/** Draws conclusions from several exchanges that belong together, in the order in which they were made. */
export type TraceCheck = (trace: readonly Judged[], context: CheckContext) => readonly Finding[];
