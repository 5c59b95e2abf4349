import { setTimeout as sleep } from 'node:timers/promises';
import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { readResidentBytes } from '../servers/process-usage.js';
import { startServer } from '../servers/start-server.js';

/** @import { Extent } from '../bench.js' */
/** @import { Figure } from '../figure.js' */

/**
 * The time from the start of a process to the end of its first response, and its resident memory 0.3 s later.
 * @param {Extent} extent
 * @returns {Promise<Figure[]>}
 */
export async function measureStart({ isQuick, rounds: count }) {
  const kinds = isQuick ? ['bare', 'cloche'] : ['bare', 'cloche', 'prism', 'openapi-backend', 'json-server'];
  // The first start of each reads its files from the disk, the others do not.
  await alternate({ rounds: 1, kinds, measure: startOnce });
  const rounds = await alternate({ rounds: count, kinds, measure: startOnce });
  const describe = (/** @type {'ms' | 'mebibytes'} */ of, /** @type {string} */ unit) =>
    kinds
      .map((kind) => `${kind} ${formatNumber(median(rounds.map((round) => round[kind][of])))} ${unit}`)
      .join('; ');
  return [
    {
      key: 'start',
      name: 'start to the first response ÷ bare',
      values: rounds.map(({ bare, cloche }) => cloche.ms / bare.ms),
      unit: 'times',
      bar: { atMost: 2.2 },
      raw: describe('ms', 'ms'),
    },
    {
      key: 'memory',
      name: 'memory at the start ÷ bare',
      values: rounds.map(({ bare, cloche }) => cloche.mebibytes / bare.mebibytes),
      unit: 'times',
      bar: { atMost: 1.3 },
      raw: describe('mebibytes', 'MiB'),
    },
  ];
}

/** @param {string} kind */
async function startOnce(kind) {
  const server = await startServer(kind);
  await sleep(300);
  const mebibytes = readResidentBytes(server.pid) / 2 ** 20;
  await server.stop();
  return { ms: server.startMs, mebibytes };
}
