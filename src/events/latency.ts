import type { CheckedExchange } from '../check/classify/subject.ts';
import { isStream } from '../http/streams.ts';

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

  /** Adds the times of another recorder. */
  addBins(bins: OperationLatency['bins'], longest: number): void {
    for (const [bin, count] of bins) {
      this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + count);
      this.count += count;
    }
    this.longest = Math.max(this.longest, longest);
  }

  /** The numbers of times in bins, the shortest first. */
  get bins(): OperationLatency['bins'] {
    return [...this.#bins].toSorted(([left], [right]) => left - right);
  }

  /** The number of stored bins. */
  get size(): number {
    return this.#bins.size;
  }

  /** Returns the time within which a share of the responses, from 0 to 1, came; accurate to 2 %. */
  quantile(share: number): number {
    let seen = 0;
    for (const [bin, count] of this.bins) {
      seen += count;
      if (seen >= share * this.count) return Math.min(this.longest, least * growth ** (bin + 0.5));
    }
    return this.longest;
  }
}

/** The response times of one operation, in milliseconds. */
export interface OperationLatency {
  /** The id of the operation, or its method and path. */
  readonly operation: string;
  readonly responses: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** The numbers of responses in the bins of {@link LatencyRecorder}, from which shards are merged. */
  readonly bins: readonly (readonly [bin: number, count: number])[];
}

/** Rounds to hundredths. No service is measured more precisely. */
const toHundredths = (ms: number): number => Math.round(ms * 100) / 100;

/** The response times of a run or of traffic. */
export interface LatencyResult {
  /** The limit of `--max-response-time`; undefined if there is none. */
  readonly limitMs: number | undefined;
  /** The operations that responded, the slowest by p95 first. */
  readonly operations: readonly OperationLatency[];
}

/** Records response times by operation. Streams are left out: they end when the client closes them. */
export class OperationLatencies {
  readonly #recorders = new Map<string, LatencyRecorder>();

  read({ operation, exchange }: CheckedExchange): void {
    const { answer, durationMs, serviceMs = durationMs } = exchange;
    if (operation === undefined || answer.kind !== 'response' || isStream(answer.response.headers)) return;
    this.#recorderOf(operation.id).add(serviceMs);
  }

  /** Adds the times of another run. */
  merge({ operations }: LatencyResult): void {
    for (const { operation, bins, max } of operations) this.#recorderOf(operation).addBins(bins, max);
  }

  #recorderOf(operation: string): LatencyRecorder {
    const recorder = this.#recorders.get(operation) ?? new LatencyRecorder();
    this.#recorders.set(operation, recorder);
    return recorder;
  }

  conclude(limitMs: number | undefined): LatencyResult {
    const operations = [...this.#recorders].map(([operation, recorder]) => ({
      operation,
      responses: recorder.count,
      p50: toHundredths(recorder.quantile(0.5)),
      p95: toHundredths(recorder.quantile(0.95)),
      p99: toHundredths(recorder.quantile(0.99)),
      max: toHundredths(recorder.longest),
      bins: recorder.bins,
    }));
    return { limitMs, operations: operations.toSorted((left, right) => right.p95 - left.p95) };
  }
}
