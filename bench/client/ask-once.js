import { connect } from 'node:net';
import { randomId } from './random-id.js';
import { renderCreate } from './render-create.js';

/**
 * Sends one request over a connection of its own.
 * @param {number} port
 * @param {string} request - a create where left out
 * @returns {Promise<boolean>} whether it was answered, with 200, 201, 400 or 404
 */
export function askOnce(port, request = renderCreate(port)(randomId())) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const finish = (/** @type {boolean} */ isAnswered) => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.on('connect', () => socket.write(request));
    socket.on('data', (data) => finish(/^HTTP\/1\.1 (200|201|400|404) /.test(data.toString('latin1'))));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
  });
}
