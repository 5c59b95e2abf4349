import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */

/**
 * The slowest hundredth of the creates at half of what bare can do, sent at that rate whatever comes back.
 * @param {number} bareRequestsPerSecond
 * @returns {Promise<Figure[]>}
 */
export async function measureLatency(bareRequestsPerSecond) {
  const rate = Math.round(bareRequestsPerSecond / 2);
  const rounds = await alternate({
    rounds: 7,
    kinds: ['bare', 'cloche'],
    measure: (kind) => loadOnce(kind, rate),
  });
  const describe = (/** @type {'bare' | 'cloche'} */ kind) =>
    `${kind} ${formatNumber(median(rounds.map((round) => round[kind].p99)), 2)} ms`;
  return [
    {
      name: `mock, p99 at ${formatNumber(rate)} requests/s: cloche ÷ bare`,
      measured: median(rounds.map(({ bare, cloche }) => cloche.p99 / bare.p99)),
      unit: 'times',
      bar: { atMost: 1.5 },
      raw: `${describe('cloche')}; ${describe('bare')}`,
    },
  ];
}

/**
 * @param {string} kind
 * @param {number} rate
 */
async function loadOnce(kind, rate) {
  const server = await startServer(kind);
  try {
    return await runLoad({
      port: server.port,
      pid: server.pid,
      connections: 50,
      warmUpSeconds: 2,
      seconds: 4,
      rate,
    });
  } finally {
    await server.stop();
  }
}
