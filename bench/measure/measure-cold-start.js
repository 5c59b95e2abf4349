import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */

const kinds = ['bare', 'cloche', 'prism'];

/**
 * The time from the start of a process to the end of its first answer.
 * @returns {Promise<Figure[]>}
 */
export async function measureColdStart() {
  // The first start of each reads its files from the disk, the others do not.
  await alternate({ rounds: 1, kinds, measure: startOnce });
  const rounds = await alternate({ rounds: 9, kinds, measure: startOnce });
  const compare = (/** @type {string} */ peer, /** @type {number} */ atMost) => {
    const describe = (/** @type {string} */ kind) =>
      `${kind} ${formatNumber(median(rounds.map((round) => round[kind])))} ms`;
    return {
      name: `mock, cold start to first answer: cloche ÷ ${peer}`,
      measured: median(rounds.map((round) => round['cloche'] / round[peer])),
      unit: /** @type {const} */ ('times'),
      bar: { atMost },
      raw: `${describe('cloche')}; ${describe(peer)}`,
    };
  };
  return [compare('bare', 4), compare('prism', 1 / 3)];
}

/** @param {string} kind */
async function startOnce(kind) {
  const server = await startServer(kind);
  await server.stop();
  return server.startMs;
}
