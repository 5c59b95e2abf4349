import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Extent } from '../bench.js' */
/** @import { Figure } from '../figure.js' */

const peers = ['prism', 'openapi-backend', 'json-server'];

/**
 * Creates with distinct ids over 50 connections, as fast as they are answered; a fresh server for each measurement.
 * @param {Extent} extent
 * @returns {Promise<Figure[]>}
 */
export async function measureThroughput({ isQuick, rounds: count }) {
  const kinds = isQuick ? ['bare', 'cloche'] : ['bare', 'cloche', 'cloche, logging', ...peers];
  const rounds = await alternate({ rounds: count, kinds, measure: loadOnce });
  const speeds = (/** @type {string} */ kind) => rounds.map((round) => round[kind].requestsPerSecond);
  const describe = (/** @type {string} */ kind) => {
    const cpu = median(rounds.map((round) => round[kind].cpuMicroseconds));
    return `${kind} ${formatNumber(median(speeds(kind)))}/s, ${formatNumber(cpu)} µs of processor each`;
  };
  const compare = (/** @type {string} */ kind, /** @type {readonly string[]} */ others) =>
    rounds.map(
      (round) =>
        round[kind].requestsPerSecond / Math.max(...others.map((other) => round[other].requestsPerSecond)),
    );
  const creates = {
    key: 'creates',
    name: 'creates ÷ bare',
    values: compare('cloche', ['bare']),
    unit: /** @type {const} */ ('times'),
    bar: { atLeast: 0.85 },
    raw: ['cloche', 'bare'].map(describe).join('; '),
  };
  if (isQuick) return [creates];
  return [
    creates,
    {
      key: 'logged',
      name: 'creates with a log in a file ÷ bare',
      values: compare('cloche, logging', ['bare']),
      unit: 'times',
      bar: { atLeast: 0.6 },
      raw: describe('cloche, logging'),
    },
    {
      key: 'peers',
      name: 'creates ÷ the fastest peer',
      values: compare('cloche', peers),
      unit: 'times',
      bar: { atLeast: 1 },
      raw: peers.map(describe).join('; '),
    },
  ];
}

/** @param {string} kind */
async function loadOnce(kind) {
  const server = await startServer(kind);
  try {
    const { port, pid } = server;
    return await runLoad({ port, pid, connections: 50, warmUpSeconds: 1, seconds: 2 });
  } finally {
    await server.stop();
  }
}
