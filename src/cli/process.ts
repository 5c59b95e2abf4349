import { ClocheError } from '../errors/cloche-error.ts';

/** How the text of an error begins that Cloche does not foresee. */
export const crashed = 'Cloche itself failed.';

/** Returns the exit code and the text for a thrown value: the message of Cloche, or the details to report. */
export function describeThrown(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof ClocheError) return { code: error.exitCode, text: error.message };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: 4,
    text: `${crashed} Please report this, with the command and the document:\n${detail}`,
  };
}

/** Creates the error for an option that cannot be used as it was given. */
export function invalidOption(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'read the option', subject, reason, remedy });
}

/** Time in which equal signals count as one, in milliseconds: npx passes on a signal that the terminal sends to all. */
const sameSignalMs = 500;

/** Calls `stop` at the first signal; the next one ends the process with exit code 130. */
function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;

  function onSignal(signal: NodeJS.Signals): void {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      stop(signal);
      return;
    }
    const isHandedOn = signal === first.signal && performance.now() - first.at < sameSignalMs;
    if (!isHandedOn) {
      process.exit(130);
    }
  }

  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}

/** Returns a signal that aborts at SIGINT (Ctrl+C) or SIGTERM; a second one ends the process immediately. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  onStopSignal(() => controller.abort());
  return controller.signal;
}

/** Waits for SIGINT (Ctrl+C) or SIGTERM, and returns it; a second one ends the process immediately. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => onStopSignal(resolve));
}

/** Reports a file that this process read to the process that watches for its changes, if there is one. */
export function tellWatcher(read: string): void {
  if (process.connected) process.send?.({ read });
}
