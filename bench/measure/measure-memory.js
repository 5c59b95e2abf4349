import { setTimeout as sleep } from 'node:timers/promises';
import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { readResidentBytes } from '../servers/process-usage.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */

const toMiB = (/** @type {number} */ bytes) => `${formatNumber(bytes / 2 ** 20)} MiB`;

/**
 * Resident memory after the first answer, and after many requests to one id.
 * @param {number} requests - How many; the first tenth of them is what the rest is compared with.
 * @returns {Promise<Figure[]>}
 */
export async function measureMemory(requests) {
  const kinds = ['bare', 'cloche', 'prism'];
  const rounds = await alternate({ rounds: 5, kinds, measure: readAtStart });
  const describe = (/** @type {string} */ kind) =>
    `${kind} ${toMiB(median(rounds.map((round) => round[kind])))}`;
  const resident = await readWhileLoaded(requests);
  return [
    {
      name: 'mock, resident memory at start: cloche ÷ bare',
      measured: median(rounds.map(({ bare, cloche }) => cloche / bare)),
      unit: 'times',
      bar: { atMost: 2 },
      raw: kinds.map(describe).join('; '),
    },
    {
      name: `mock, resident memory: after ${formatNumber(requests)} requests to one id ÷ after ${formatNumber(requests / 10)}`,
      measured: resident[9] / resident[0],
      unit: 'times',
      // Flat, but for what a garbage collector lets lie.
      bar: { atMost: 1.1 },
      raw: `after each tenth: ${resident.map(toMiB).join(', ')}`,
    },
  ];
}

/** @param {string} kind */
async function readAtStart(kind) {
  const server = await startServer(kind);
  await sleep(300);
  const bytes = readResidentBytes(server.pid);
  await server.stop();
  return bytes;
}

/** @param {number} requests */
async function readWhileLoaded(requests) {
  process.stderr.write(`  ${formatNumber(requests)} requests to one id\n`);
  const server = await startServer('cloche');
  try {
    const { resident } = await runLoad({
      port: server.port,
      pid: server.pid,
      connections: 50,
      warmUpSeconds: 0,
      requests,
      sameId: true,
      residentEach: requests / 10,
    });
    return resident;
  } finally {
    await server.stop();
  }
}
