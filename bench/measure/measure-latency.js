import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Extent } from '../bench.js' */
/** @import { Figure } from '../figure.js' */

/**
 * The slowest hundredth of creates that are sent at half of bare's rate whatever comes back, until well over 100,000
 * resources are kept.
 * @param {Extent} extent
 * @returns {Promise<Figure[]>}
 */
export async function measureLatency({ rounds: count }) {
  const { requestsPerSecond } = await loadOnce('bare');
  const rate = Math.round(requestsPerSecond / 2);
  const measure = (/** @type {string} */ kind) => loadOnce(kind, rate);
  const rounds = await alternate({ rounds: count, kinds: ['bare', 'cloche'], measure });
  const describe = (/** @type {'bare' | 'cloche'} */ kind) =>
    `${kind} ${formatNumber(median(rounds.map((round) => round[kind].p99)), 2)} ms`;
  return [
    {
      key: 'p99',
      name: `p99 at ${formatNumber(rate)} creates/s ÷ bare`,
      values: rounds.map(({ bare, cloche }) => cloche.p99 / bare.p99),
      unit: 'times',
      bar: { atMost: 2 },
      raw: `${describe('cloche')}; ${describe('bare')}`,
    },
  ];
}

/**
 * @param {string} kind
 * @param {number} [rate] - requests a second; as fast as it answers where left out
 */
async function loadOnce(kind, rate) {
  const server = await startServer(kind);
  try {
    const { port, pid } = server;
    return await runLoad({ port, pid, connections: 50, warmUpSeconds: 2, seconds: 4, ...(rate && { rate }) });
  } finally {
    await server.stop();
  }
}
