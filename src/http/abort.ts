const listenersOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * What is called when a signal aborts; add to it, and delete from it. The signal itself has one listener,
 * however many requests are under way: Node warns of a leak where there are more than ten.
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
