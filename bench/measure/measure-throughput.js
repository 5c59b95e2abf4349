import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */
/** @import { LoadResult } from '../run-load.js' */

const kinds = ['bare', 'cloche', 'cloche, logging', 'prism', 'prism, logging'];

/**
 * Creates with distinct ids over 50 connections, as fast as they are answered; a fresh server for each measurement.
 * @returns {Promise<{ figures: Figure[], bareRequestsPerSecond: number }>}
 */
export async function measureThroughput() {
  const rounds = await alternate({ rounds: 7, kinds, measure: loadOnce });
  const medianOf = (/** @type {string} */ kind, /** @type {keyof LoadResult} */ property) =>
    median(rounds.map((round) => Number(round[kind][property])));
  const speed = (/** @type {string} */ kind) =>
    `${kind} ${formatNumber(medianOf(kind, 'requestsPerSecond'))} requests/s`;

  const compare = (
    /** @type {string} */ kind,
    /** @type {string} */ peer,
    /** @type {number} */ atLeast,
  ) => ({
    name: `mock, throughput: ${kind} ÷ ${peer}`,
    measured: median(rounds.map((round) => round[kind].requestsPerSecond / round[peer].requestsPerSecond)),
    unit: /** @type {const} */ ('times'),
    bar: { atLeast },
    raw: `${speed(kind)}; ${speed(peer)}`,
  });
  return {
    bareRequestsPerSecond: medianOf('bare', 'requestsPerSecond'),
    figures: [
      compare('cloche', 'bare', 0.8),
      compare('cloche, logging', 'bare', 0.6),
      compare('cloche', 'prism', 10),
      compare('cloche, logging', 'prism, logging', 10),
      ...kinds.map((kind) => ({
        name: `mock, server CPU a request: ${kind}`,
        measured: medianOf(kind, 'cpuMicroseconds'),
        unit: /** @type {const} */ ('microseconds'),
        raw: `p50 ${formatNumber(medianOf(kind, 'p50'), 2)} ms; load generator ${formatNumber(medianOf(kind, 'clientShare') * 100)} % of a core`,
      })),
    ],
  };
}

/** @param {string} kind */
async function loadOnce(kind) {
  const server = await startServer(kind);
  try {
    return await runLoad({
      port: server.port,
      pid: server.pid,
      connections: 50,
      warmUpSeconds: 1.5,
      seconds: 3,
    });
  } finally {
    await server.stop();
  }
}
