/** So long the same signal means the first one still: npx hands on what the terminal has sent to all, in milliseconds. */
const sameSignalMs = 500;

/**
 * Calls back once when the process is told to stop, by a person (Ctrl+C) or another process. Told again, by either, it
 * ends at once, with exit code 130.
 */
export function onStopSignal(stop: () => void): void {
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;

  function onSignal(signal: NodeJS.Signals): void {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      stop();
      return;
    }
    const isHandedOn = signal === first.signal && performance.now() - first.at < sameSignalMs;
    if (!isHandedOn) {
      process.exit(130);
    }
  }

  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}
