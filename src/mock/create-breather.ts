/** Called once for each of many; what it gives is to be awaited. */
export type Breathe = () => Promise<void> | undefined;

/** Not a timer: a test of whoever uses a mock may have stopped those. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener(
      'message',
      () => {
        // An open one would keep the process.
        port1.close();
        resolve();
      },
      { once: true },
    );
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Creates what lets requests in while many things are gone through: it waits a turn of the event loop now and then.
 *
 * @param every - after so many
 */
export function createBreather(every = 1000): Breathe {
  let since = 0;
  return () => {
    since += 1;
    if (since < every) {
      return undefined;
    }
    since = 0;
    return nextTask();
  };
}
