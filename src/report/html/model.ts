import type { Redactor } from '../../http/redact.ts';
import type { CollectedRun } from '../collect.ts';
import type { ReportOptions } from '../report.ts';

/** The data that the parts of the page are rendered from. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in foreign text, before the text is cut or marked. */
  readonly redactor: Redactor;
  readonly latency: Readonly<Omit<LatencyRecorder, 'add'>>;
  /** The count of each kind of response, in order: a status, or words if there was none. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}

/** The ratio of the width of a bin to that of the previous one. */
const growth = 1.02;
/** The shortest recorded time: no clock measures a shorter one. */
const least = 0.001;

/** A histogram of response times in milliseconds. Bins keep its memory constant as a run gets longer. */
export class LatencyRecorder {
  readonly #bins = new Map<number, number>();
  count = 0;
  /** The exact longest time; 0 if there is none. */
  longest = 0;

  /** Adds the time of one response. */
  add(ms: number): void {
    const bin = Math.floor(Math.log(Math.max(ms, least) / least) / Math.log(growth));
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.count += 1;
    this.longest = Math.max(this.longest, ms);
  }

  /** The number of stored bins. */
  get size(): number {
    return this.#bins.size;
  }

  /** Returns the time within which a share of the responses, from 0 to 1, came; accurate to 2 %. */
  quantile(share: number): number {
    let seen = 0;
    for (const [bin, count] of [...this.#bins].toSorted(([left], [right]) => left - right)) {
      seen += count;
      if (seen >= share * this.count) return Math.min(this.longest, least * growth ** (bin + 0.5));
    }
    return this.longest;
  }
}
