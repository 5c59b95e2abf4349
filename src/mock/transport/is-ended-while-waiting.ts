/**
 * Waits.
 *
 * @param ms - not at all where left out or 0
 * @returns whether the signal ended it before its time
 */
export function isEndedWhileWaiting(
  ms: number | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal?.aborted === true || ms === undefined || ms === 0) {
    return Promise.resolve(signal?.aborted === true);
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), ms);
    const onAbort = (): void => settle(true);
    function settle(isEnded: boolean): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(isEnded);
    }
    signal?.addEventListener('abort', onAbort);
  });
}
