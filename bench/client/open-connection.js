import { connect } from 'node:net';

/**
 * @typedef {object} Connection
 * @property {(request: string) => void} send - Only when the request before has been answered.
 * @property {(status: number) => void} onAnswer - Called when an answer has come whole; the user sets it.
 * @property {() => void} close
 */

/**
 * Opens a kept-alive connection that costs its process as little as can be: one buffer for all that comes, no parser
 * but the search for a Content-Length.
 * @param {number} port
 * @returns {Promise<Connection>}
 * @throws {Error} later, and uncaught, where the server closes it or answers without a length
 */
export function openConnection(port) {
  let begun = '';
  let isClosing = false;

  const readText = (/** @type {string} */ text) => {
    begun = begun === '' ? text : begun + text;
    const headEnd = begun.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(begun);
    if (length === null) throw new Error(`Failed to read an answer: it has no Content-Length: ${begun}`);
    if (begun.length < headEnd + 4 + Number(length[1])) return;
    const status = Number(begun.slice(9, 12));
    begun = '';
    connection.onAnswer(status);
  };

  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(16_384),
      callback: (size, buffer) => {
        readText(/** @type {Buffer} */ (buffer).latin1Slice(0, size));
        return true;
      },
    },
  });
  /** @type {Connection} */
  const connection = {
    send: (request) => socket.write(request, 'latin1'),
    onAnswer: () => {},
    close: () => {
      isClosing = true;
      socket.destroy();
    },
  };
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.on('close', () => {
      if (!isClosing) throw new Error('Failed to go on: the server closed a connection.');
    });
    socket.once('connect', () => resolve(connection));
  });
}
