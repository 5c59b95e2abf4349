const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Returns the listeners to call when a signal aborts. Callers add and delete entries. The signal itself has one
 * listener for all requests in progress, because Node warns of a leak above ten.
 */
export function abortListeners(signal: AbortSignal | undefined): Set<() => void> {
  if (signal === undefined) return new Set();
  const known = listenersOf.get(signal);
  if (known !== undefined) return known;
  const listeners = new Set<() => void>();
  signal.addEventListener('abort', () => [...listeners].forEach((listener) => listener()), { once: true });
  listenersOf.set(signal, listeners);
  return listeners;
}
