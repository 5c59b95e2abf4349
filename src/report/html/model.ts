import type { Redactor } from '../../http/redact.ts';
import type { CollectedRun } from '../collect.ts';
import type { ReportOptions } from '../report.ts';

/** How long answers took, in bins, so that it takes no more memory as a run gets longer. */
export interface LatencyDistribution {
  readonly count: number;
  /** In milliseconds, exactly; 0 where there is none. */
  readonly shortest: number;
  readonly longest: number;
  /** In order, each with at least one; a bin reaches to 1.02 times where it begins. */
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  /**
   * The time within which a share of the answers came, in milliseconds, within 2 %.
   *
   * @param share - from 0 to 1
   */
  readonly quantile: (share: number) => number;
}

/** Takes the times of answers, and tells how they are distributed. */
interface LatencyRecorder {
  readonly add: (ms: number) => void;
  readonly read: () => LatencyDistribution;
}

/** How much wider a bin is than the one before. */
const growth = 1.02;
/** What is shorter is taken for this: no clock tells it apart. */
const least = 0.001;

/** Creates a recorder with nothing in it. */
export function createLatencyRecorder(): LatencyRecorder {
  const counts = new Map<number, number>();
  let count = 0;
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;

  function add(ms: number): void {
    const index = Math.floor(Math.log(Math.max(ms, least) / least) / Math.log(growth));
    counts.set(index, (counts.get(index) ?? 0) + 1);
    count += 1;
    shortest = Math.min(shortest, ms);
    longest = Math.max(longest, ms);
  }

  function read(): LatencyDistribution {
    const bins = [...counts]
      .toSorted(([left], [right]) => left - right)
      .map(([index, inBin]) => ({
        from: least * growth ** index,
        to: least * growth ** (index + 1),
        count: inBin,
      }));
    function quantile(share: number): number {
      let seen = 0;
      for (const bin of bins) {
        seen += bin.count;
        if (seen >= share * count) return Math.min(longest, Math.max(shortest, Math.sqrt(bin.from * bin.to)));
      }
      return longest;
    }
    return { count, shortest: count === 0 ? 0 : shortest, longest, bins, quantile };
  }

  return { add, read };
}

/** What the parts of the page are made of. */
export interface Page {
  readonly run: CollectedRun;
  readonly options: Omit<ReportOptions, 'write'>;
  /** Hides secrets in what came from outside, before anything is cut or marked in it. */
  readonly redactor: Redactor;
  readonly latency: LatencyDistribution;
  /** How often each kind of answer came: a status, or words for what is none; in order. */
  readonly answers: readonly { readonly answer: string; readonly count: number }[];
}
