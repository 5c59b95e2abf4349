import { onStopSignal } from './on-stop-signal.ts';

/** Aborts where the process is told to stop, by a person (Ctrl+C) or another process; told again, it ends at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  onStopSignal(() => controller.abort());
  return controller.signal;
}
