/** @import { Connection } from './open-connection.js' */

/**
 * Sends at a fixed rate, however slow the answers are. A request that finds every connection taken waits, and its
 * time runs from when it was due: a server that stalls cannot hide it by being asked less.
 * @param {readonly Connection[]} connections
 * @param {object} options
 * @param {number} options.rate - Requests a second.
 * @param {() => string | undefined} options.nextRequest - undefined ends it.
 * @param {(status: number, ms: number) => void} options.onAnswer
 * @returns {Promise<void>} when the last answer has come
 */
export function runOpenLoop(connections, { rate, nextRequest, onAnswer }) {
  return new Promise((resolve) => {
    const free = [...connections];
    const gap = 1_000 / rate;
    let dueAt = performance.now();
    let isOver = false;

    for (const connection of connections) connection.onAnswer = () => {};

    const send = () => {
      const connection = /** @type {Connection} */ (free.pop());
      const request = nextRequest();
      if (request === undefined) {
        isOver = true;
        free.push(connection);
        return;
      }
      const askedAt = dueAt;
      dueAt += gap;
      connection.onAnswer = (status) => {
        onAnswer(status, performance.now() - askedAt);
        free.push(connection);
      };
      connection.send(request);
    };

    // Timers are as coarse as ten requests here, so it asks the clock on each turn of the event loop.
    const turn = () => {
      while (!isOver && free.length > 0 && dueAt <= performance.now()) send();
      if (isOver && free.length === connections.length) resolve();
      else setImmediate(turn);
    };
    turn();
  });
}
