import { onStopSignal } from './on-stop-signal.ts';

/** Waits until the process is told to stop, by a person (Ctrl+C) or another process; told again, it ends at once. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => onStopSignal(resolve));
}
