import type { Duplex } from 'node:stream';

/** Wraps an event handler in one that throws nothing. */
export type Guard = <Args extends readonly unknown[]>(
  handle: (...args: Args) => void,
) => (...args: Args) => void;

/**
 * Creates a wrapper for the event handlers of one connection. An error thrown in an event handler ends the process and
 * with it all other connections, so the wrapper passes the error to `fail`. If `fail` throws too, the wrapper destroys
 * the connection, which is the default of `fail`.
 */
export function createGuard(
  connection: Duplex,
  fail: (error: Error) => void = () => connection.destroy(),
): Guard {
  return (handle) =>
    (...args) => {
      try {
        handle(...args);
      } catch (error) {
        try {
          fail(error instanceof Error ? error : new Error(String(error)));
        } catch {
          connection.destroy();
        }
      }
    };
}
