import { alternate } from '../alternate.js';
import { renderItem } from '../client/render-item.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Extent } from '../bench.js' */
/** @import { Figure } from '../figure.js' */
/** @import { ItemRequest } from '../client/render-item.js' */

/** @type {readonly [kind: ItemRequest, name: string, atLeast: number][]} */
const requests = [
  ['read', 'reads', 0.7],
  ['replace', 'replacements', 0.7],
  ['page', 'pages of 50', 0.5],
];

/**
 * Reads, replacements and pages of a collection of 100,000 items, or 20,000.
 * @param {Extent} extent
 * @returns {Promise<Figure[]>}
 */
export async function measureItems({ isQuick, rounds: count }) {
  const items = isQuick ? 20_000 : 100_000;
  const kinds = ['bare, items', 'cloche, items'];
  const rounds = await alternate({ rounds: count, kinds, measure: (kind) => measureOnce(kind, items) });
  return requests.map(([kind, name, atLeast]) => {
    const describe = (/** @type {string} */ server) =>
      `${server} ${formatNumber(median(rounds.map((round) => round[server][kind])))}/s`;
    return {
      key: name.split(' ', 1)[0],
      name: `${name} ÷ bare`,
      values: rounds.map((round) => round['cloche, items'][kind] / round['bare, items'][kind]),
      unit: 'times',
      bar: { atLeast },
      raw: kinds.toReversed().map(describe).join('; '),
    };
  });
}

/**
 * @param {string} kind
 * @param {number} count
 */
async function measureOnce(kind, count) {
  const ask = (/** @type {number} */ port) => renderItem('read', port, count)();
  const server = await startServer(kind, undefined, undefined, ask);
  try {
    const { port, pid } = server;
    const load = (/** @type {ItemRequest} */ request, /** @type {object} */ end) =>
      runLoad({ port, pid, connections: 50, warmUpSeconds: 0, items: { kind: request, count }, ...end });
    await load('create', { requests: count });
    /** @type {Record<string, number>} */
    const speeds = {};
    for (const [request] of requests) {
      const { requestsPerSecond } = await load(request, { warmUpSeconds: 1, seconds: 2 });
      speeds[request] = requestsPerSecond;
    }
    return speeds;
  } finally {
    await server.stop();
  }
}
