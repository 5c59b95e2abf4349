/** The answers that are held back on their way to callers in the process. */
export interface Pauses {
  /**
   * Waits.
   *
   * @param ms - not at all where left out or 0
   * @returns whether the signal ended it before its time
   */
  readonly wait: (ms: number | undefined, signal: AbortSignal | undefined) => Promise<boolean>;
  /** Has nobody wait any more, now or later, so that what is held back comes at once. */
  readonly endAll: () => void;
}

/** Makes what holds answers back. */
export function createPauses(): Pauses {
  const waiting = new Set<() => void>();
  let isOver = false;
  return {
    wait(ms, signal) {
      if (signal?.aborted === true || ms === undefined || ms === 0 || isOver) {
        return Promise.resolve(signal?.aborted === true);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(end, ms);
        const onAbort = (): void => settle(true);
        function settle(isEnded: boolean): void {
          clearTimeout(timer);
          waiting.delete(end);
          signal?.removeEventListener('abort', onAbort);
          resolve(isEnded);
        }
        function end(): void {
          settle(false);
        }
        waiting.add(end);
        signal?.addEventListener('abort', onAbort);
      });
    },
    endAll() {
      isOver = true;
      // Each takes itself out, which a set allows while it is gone through.
      waiting.forEach((end) => end());
    },
  };
}
