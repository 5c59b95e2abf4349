import type { RawRequest } from './raw-request.ts';

/** Who waits for requests. */
export interface WaitingLine {
  /** How many wait; where nobody does, a request need not be told of. */
  readonly size: number;
  /** Tells of a request that was answered. */
  tell(raw: RawRequest): void;
  /** What was counted is gone. */
  restart(): void;
  /** Waits no longer, as if the time were over. */
  end(): void;
  /**
   * Waits for requests.
   *
   * @param wait.count - how many more it takes
   * @param wait.times - how many it takes after a restart
   * @throws the reason of the signal where it is aborted
   */
  join(wait: {
    readonly fits: (raw: RawRequest) => boolean;
    readonly count: number;
    readonly times: number;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  }): Promise<void>;
}

interface Waiting {
  readonly tell: (raw: RawRequest) => void;
  readonly restart: () => void;
  readonly end: () => void;
}

/** A timer that is to run for longer runs out at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Creates a line in which nobody stands. */
export function createWaitingLine(): WaitingLine {
  const line = new Set<Waiting>();
  return {
    get size() {
      return line.size;
    },
    tell(raw) {
      for (const waiting of line) {
        waiting.tell(raw);
      }
    },
    restart() {
      for (const waiting of line) {
        waiting.restart();
      }
    },
    end() {
      for (const waiting of line) {
        waiting.end();
      }
    },
    join: ({ fits, count, times, timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        let missing = count;
        const leave = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          line.delete(waiting);
        };
        const end = (): void => {
          leave();
          resolve();
        };
        const abort = (): void => {
          leave();
          // Who aborts chooses what is thrown.
          reject(signal?.reason);
        };
        const waiting: Waiting = {
          tell(raw) {
            if (fits(raw)) {
              missing -= 1;
            }
            if (missing <= 0) {
              end();
            }
          },
          restart() {
            missing = times;
          },
          end,
        };
        const timer = setTimeout(end, Math.min(timeoutMs, longestTimerMs));
        if (signal?.aborted === true) {
          abort();
          return;
        }
        signal?.addEventListener('abort', abort);
        line.add(waiting);
      }),
  };
}
