/** @import { Connection } from './open-connection.js' */

/**
 * Sends at a fixed rate, however slow the answers are. A request that finds every connection taken waits, and its
 * time runs from when it was due: a server that stalls cannot hide it by being asked less.
 *
 * It sleeps between its turns, a millisecond each, and so sends what is due in small bursts: to watch the clock
 * instead would take a core of its own, and the server's collector of garbage may need that.
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
    let isLate = false;
    const isDue = () => !isOver && dueAt <= performance.now();

    const send = () => {
      const connection = /** @type {Connection} */ (free.pop());
      const request = nextRequest();
      if (request === undefined) {
        isOver = true;
        free.push(connection);
        return;
      }
      // Where the server has not kept it waiting, what it is late by is this process's own doing.
      const askedAt = isLate ? dueAt : performance.now();
      dueAt += gap;
      connection.onAnswer = (status) => {
        onAnswer(status, performance.now() - askedAt);
        free.push(connection);
        if (isLate) sendDue();
      };
      connection.send(request);
    };

    const sendDue = () => {
      while (free.length > 0 && isDue()) send();
      isLate = isDue();
    };

    const turn = () => {
      sendDue();
      if (isOver && free.length === connections.length) resolve();
      else setTimeout(turn, 1);
    };
    turn();
  });
}
