import type { Redactor } from '../../http/redact.ts';
import type { CollectedRun } from '../collect.ts';
import type { ReportOptions } from '../report.ts';

/** What the parts of the page are made of. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in what came from outside, before anything is cut or marked in it. */
  readonly redactor: Redactor;
  readonly latency: Readonly<Omit<LatencyRecorder, 'add'>>;
  /** How often each kind of answer came: a status, or words for what is none; in order. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}

/** How much wider a bin is than the one before. */
const growth = 1.02;
/** What is shorter is taken for this: no clock tells it apart. */
const least = 0.001;

/** How long answers took, in milliseconds, counted in bins, so that it takes no more memory as a run gets longer. */
export class LatencyRecorder {
  readonly #bins = new Map<number, number>();
  count = 0;
  /** Exactly; 0 where there is none. */
  longest = 0;

  /** Takes the time of one more answer. */
  add(ms: number): void {
    const bin = Math.floor(Math.log(Math.max(ms, least) / least) / Math.log(growth));
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.count += 1;
    this.longest = Math.max(this.longest, ms);
  }

  /** How many numbers are kept. */
  get size(): number {
    return this.#bins.size;
  }

  /** The time within which a share of the answers, from 0 to 1, came; within 2 %. */
  quantile(share: number): number {
    let seen = 0;
    for (const [bin, count] of [...this.#bins].toSorted(([left], [right]) => left - right)) {
      seen += count;
      if (seen >= share * this.count) return Math.min(this.longest, least * growth ** (bin + 0.5));
    }
    return this.longest;
  }
}
