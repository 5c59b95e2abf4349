import type { CheckContext } from './check-context.ts';
import type { Finding } from './finding.ts';
import type { Judged } from './judged.ts';

/** An exchange as it was read, before anything is concluded. */
export type Subject = Omit<Judged, 'findings'>;

/** Judges one exchange; most have nothing to say about most exchanges. */
export type ExchangeCheck = (subject: Subject, context: CheckContext) => Finding | undefined;
