import type { ServerResponse } from 'node:http';

/** The answers that a server holds back. */
export interface Delays {
  /**
   * Goes on after so many milliseconds, or as soon as the server closes; not at all where the client has gone by
   * then.
   */
  wait(ms: number, response: ServerResponse, goOn: () => void): void;
  /** Goes on with all that is held back, so that nobody waits for it. */
  endAll(): void;
}

/** Makes what holds answers back. */
export function createDelays(): Delays {
  const waiting = new Set<() => void>();
  return {
    wait(ms, response, goOn) {
      const timer = setTimeout(end, ms);
      function forget(): void {
        clearTimeout(timer);
        waiting.delete(end);
        response.off('close', forget);
      }
      function end(): void {
        forget();
        goOn();
      }
      waiting.add(end);
      response.once('close', forget);
    },
    endAll() {
      // Each takes itself out, which a set allows while it is gone through.
      waiting.forEach((end) => end());
    },
  };
}
