/** @import { Connection } from './open-connection.js' */

/**
 * Sends on each connection as soon as the answer before has come, until there is no next request.
 * @param {readonly Connection[]} connections
 * @param {() => string | undefined} nextRequest
 * @param {(status: number, ms: number) => void} onAnswer
 * @returns {Promise<unknown>} when the last answer has come
 */
export function runClosedLoop(connections, nextRequest, onAnswer) {
  const loops = connections.map(
    (connection) =>
      new Promise((resolve) => {
        let sentAt = 0;
        const sendNext = () => {
          const request = nextRequest();
          if (request === undefined) {
            resolve(undefined);
            return;
          }
          sentAt = performance.now();
          connection.send(request);
        };
        connection.onAnswer = (status) => {
          onAnswer(status, performance.now() - sentAt);
          sendNext();
        };
        sendNext();
      }),
  );
  return Promise.all(loops);
}
