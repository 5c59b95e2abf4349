import { request as open } from 'node:http';

/**
 * @typedef {object} HeldBackAnswer
 * @property {number} status
 * @property {string} type - The media type, in lower case, or nothing.
 * @property {Buffer} body
 */

/** Nobody takes so long but who hangs. */
const limitMs = 10_000;

/**
 * Sends a request as it is written, with no field added but Host and Connection.
 * @param {string} url - The base URL.
 * @param {import('./held-back.js').HeldBackRequest} request
 * @returns {Promise<HeldBackAnswer | undefined>} undefined where no whole answer came
 */
export function sendHeldBack(url, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const sending = open(`${url}${path}`, { method, headers, agent: false, timeout: limitMs }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', () => resolve(undefined));
      answer.once('end', () => {
        const { statusCode: status = 0 } = answer;
        const type = (answer.headers['content-type'] ?? '').toLowerCase();
        resolve({ status, type, body: Buffer.concat(chunks) });
      });
    });
    sending.once('timeout', () => sending.destroy());
    sending.once('error', () => resolve(undefined));
    sending.end(body);
  });
}
