/** Waits until the process is told to stop, by a person (Ctrl+C) or another process; told again, it ends at once. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => resolve());
    }
  });
}
