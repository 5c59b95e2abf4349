import { ClocheError } from '../errors/cloche-error.ts';

/** The exit code and the words for something that was thrown: our own sentence, or what to report. */
export function describeThrown(error: unknown): { readonly code: number; readonly text: string } {
  if (error instanceof ClocheError) return { code: error.exitCode, text: error.message };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: 4,
    text: `Cloche itself failed. Please report this, with the command and the document:\n${detail}`,
  };
}

/** What is said of an option that cannot be used as it was given. */
export function invalidOption(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'read the option', subject, reason, remedy });
}

/** So long the same signal means the first one still: npx hands on what the terminal has sent to all, in milliseconds. */
const sameSignalMs = 500;

/** Calls back at the first signal; the next one ends the process with exit code 130. */
function onStopSignal(stop: () => void): void {
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

/** Aborts at a signal to stop, of a person (Ctrl+C) or another process; the process ends at once at a second one. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  onStopSignal(() => controller.abort());
  return controller.signal;
}

/** Waits for a signal to stop, of a person (Ctrl+C) or another process; the process ends at once at a second one. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => onStopSignal(resolve));
}
