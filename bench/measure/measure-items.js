import { setTimeout as sleep } from 'node:timers/promises';
import { alternate } from '../alternate.js';
import { makeItem, renderItem } from '../client/render-item.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { readResidentBytes } from '../servers/process-usage.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */
/** @import { ItemRequest } from '../client/render-item.js' */

const itemCount = 100_000;

/** @type {readonly [kind: ItemRequest, name: string, atLeast: number][]} */
const requests = [
  ['read', 'read of an item', 0.7],
  ['replace', 'replacement of an item', 0.7],
  ['page', 'page of 50 items', 0.5],
];

/**
 * Reads, replacements and pages of a collection of 100,000 items, and the memory that one of them takes.
 * @returns {Promise<Figure[]>}
 */
export async function measureItems() {
  const kinds = ['bare, items', 'cloche, items'];
  const rounds = await alternate({ rounds: 5, kinds, measure: measureOnce });
  const json = JSON.stringify(makeItem(itemCount)).length;
  const bytesOf = (/** @type {string} */ kind) => median(rounds.map((round) => round[kind].bytes));
  return [
    ...requests.map(([kind, name, atLeast]) => {
      const speeds = (/** @type {string} */ server) => rounds.map((round) => round[server].speeds[kind]);
      return {
        name: `mock, ${name} of ${formatNumber(itemCount)}: cloche ÷ bare`,
        measured: median(
          rounds.map((round) => round['cloche, items'].speeds[kind] / round['bare, items'].speeds[kind]),
        ),
        unit: /** @type {const} */ ('times'),
        bar: { atLeast },
        raw: kinds.map((each) => `${each} ${formatNumber(median(speeds(each)))} requests/s`).join('; '),
      };
    }),
    {
      name: `mock, resident bytes an item of ${json} bytes, less twice those`,
      measured: bytesOf('cloche, items') - 2 * json,
      unit: 'count',
      bar: { atMost: 300 },
      raw: kinds.map((each) => `${each} ${formatNumber(bytesOf(each))} bytes`).join('; '),
    },
  ];
}

/** @param {string} kind */
async function measureOnce(kind) {
  const server = await start(kind);
  try {
    const load = (/** @type {ItemRequest} */ kind, /** @type {object} */ end) =>
      runLoad({
        port: server.port,
        pid: server.pid,
        connections: 50,
        warmUpSeconds: 0,
        items: { kind, count: itemCount },
        ...end,
      });
    // What a server takes for its first requests is not for items.
    await load('page', { seconds: 1 });
    const before = await readAtRest(server.pid);
    await load('create', { requests: itemCount });
    const bytes = ((await readAtRest(server.pid)) - before) / itemCount;
    /** @type {Record<string, number>} */
    const speeds = {};
    for (const [kind] of requests) {
      speeds[kind] = (await load(kind, { warmUpSeconds: 1, seconds: 2 })).requestsPerSecond;
    }
    return { bytes, speeds };
  } finally {
    await server.stop();
  }
}

/** @param {number} pid */
async function readAtRest(pid) {
  await sleep(1_000);
  return readResidentBytes(pid);
}

/** @param {string} kind */
function start(kind) {
  return startServer(kind, undefined, undefined, (port) => renderItem('read', port, itemCount)());
}
