import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * @typedef {object} LoadOptions
 * @property {number} port
 * @property {number} pid - Of the server, whose processor time is read.
 * @property {number} connections
 * @property {number} warmUpSeconds
 * @property {number} [seconds] - One of seconds and requests ends it; at most 15.
 * @property {number} [requests]
 * @property {number} [rate] - Requests a second; as fast as it answers where left out.
 * @property {{ kind: import('./client/render-item.js').ItemRequest, count: number }} [items] - What is asked, where it is no create.
 */

/**
 * @typedef {object} LoadResult
 * @property {number} requests
 * @property {number} requestsPerSecond
 * @property {number} cpuMicroseconds - Of the server, for each request.
 * @property {number} clientShare - How much of one core the load generator took: near 1, it was the bottleneck.
 * @property {number} p50 - Milliseconds.
 * @property {number} p99 - Milliseconds.
 * @property {Record<string, number>} statuses
 */

const run = promisify(execFile);
const loader = fileURLToPath(new URL('load.js', import.meta.url));

/**
 * Loads a server from another process.
 * @param {LoadOptions} options
 * @returns {Promise<LoadResult>}
 * @throws {Error} where an answer is not what it should be: the speed of refusals is no figure
 */
export async function runLoad(options) {
  const { stdout } = await run(process.execPath, [loader, JSON.stringify(options)]);
  /** @type {LoadResult} */
  const result = JSON.parse(stdout);
  // Of a create, servers answer 200 or 201.
  const good = ['200', '201'];
  const bad = Object.keys(result.statuses).filter((status) => !good.includes(status));
  if (bad.length > 0) {
    throw new Error(
      `Failed to measure: of ${result.requests} answers some were not ${good.join(' or ')}: ${bad.join(', ')}.`,
    );
  }
  return result;
}
